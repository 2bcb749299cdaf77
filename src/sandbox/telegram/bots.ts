// The bots of the local Telegram: the app's bot, and any number of others that `POST /api/bots` makes. They share the users; each has its
// own chats, files, updates and webhook.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { User } from 'grammy/types'
import { z } from 'zod'
import { randomText } from '../random.ts'
import { type BotIdentity, botIdOf, type LocalBot, openBot, type Surroundings } from './bot.ts'
import { openPrivateChat } from './server.ts'

interface NewBot {
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly name?: string | undefined
}

export interface Bots {
  /** The bot of the app. */
  readonly first: LocalBot
  all(): readonly LocalBot[]
  byToken(token: string): LocalBot | undefined
  byId(id: number): LocalBot | undefined
  /** A bot that already has this token is returned unchanged. @returns undefined when a user or another bot has its id */
  create(wanted: NewBot): LocalBot | undefined
  close(): void
}

const firstId = 6_000_000_001
const identity = z.object({ token: z.string(), username: z.string() })
const identityFile = 'bot.json'

/** @param folder the folder of the first bot; the others have theirs in its subfolder `bots` */
export function openBots(own: BotIdentity, folder: string, surroundings: Surroundings): Bots {
  const first = openBot(own, folder, surroundings)
  const bots = [first]
  const others = join(folder, 'bots')
  mkdirSync(others, { recursive: true })
  const byId = (id: number) => bots.find((one) => one.server.botId === id)

  function add(wanted: BotIdentity): LocalBot {
    const bot = openBot(wanted, join(others, String(botIdOf(wanted.token))), surroundings)
    bot.server.state.users = first.server.state.users
    for (const user of Object.values(first.server.state.users)) openPrivateChat(bot.server, user)
    bots.push(bot)
    return bot
  }

  function newToken(): string {
    let id = firstId
    while (byId(id)) id += 1
    return `${id}:${randomText(surroundings.random, 35)}`
  }

  for (const name of readdirSync(others)) {
    const path = join(others, name, identityFile)
    if (existsSync(path)) add(identity.parse(JSON.parse(readFileSync(path, 'utf8'))))
  }

  return {
    first,
    all: () => bots,
    byToken: (token) => bots.find((one) => one.token === token),
    byId,
    create({ token = newToken(), username, name }) {
      const id = botIdOf(token) ?? 0
      if (first.server.state.users[id]) return undefined
      const known = byId(id)
      if (known) return known.token === token ? known : undefined
      const made = { token, username: username ?? `sandbox_${id}_bot` }
      mkdirSync(join(others, String(id)), { recursive: true })
      writeFileSync(join(others, String(id), identityFile), JSON.stringify(made))
      const bot = add(made)
      if (name !== undefined) bot.server.state.name = name
      bot.changed()
      return bot
    },
    close() {
      for (const bot of bots) bot.close()
    },
  }
}

/** Makes the user known to all bots, with a private chat for each. */
export function shareUser(bots: Bots, user: User): void {
  bots.first.server.state.users[user.id] = user
  for (const bot of bots.all()) {
    openPrivateChat(bot.server, user)
    bot.changed()
  }
}
