// Installs the conversation that an update needs: the active one, or one that its handler enters. The plugin's middleware costs several
// objects and promises for each conversation, and most updates need none.

import { type ConversationBuilder, createConversation } from '@grammyjs/conversations'
import type { Context, MiddlewareFn } from 'grammy'
import type { Ctx } from './context.ts'

type Builders = Readonly<Record<string, ConversationBuilder<Ctx, Context>>>

/** Installed after the plugin, which allows one active conversation at a time. @param builders the conversations by name */
export function conversationsOnDemand(builders: Builders): MiddlewareFn<Ctx> {
  const installers = new Map(
    Object.entries(builders).map(([name, build]) => [name, createConversation<Ctx, Context>(build, name)]),
  )
  return async (ctx, next) => {
    const { conversation } = ctx
    const active = conversation.active()
    const resumed = Object.keys(active).find((name) => active[name])
    let installed = [resumed]
    ctx.conversation = {
      ...conversation,
      async enter(name, ...args) {
        if (!installed.includes(name)) await installers.get(name)?.(ctx, async () => undefined)
        installed = [...installed, name]
        return conversation.enter(name, ...args)
      },
    }
    const resume = resumed === undefined ? undefined : installers.get(resumed)
    await (resume ? resume(ctx, next) : next())
  }
}
