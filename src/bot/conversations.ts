// Installs a conversation of grammY's plugin only for the updates that need it: while it is active, or when a handler enters it. For each
// installed conversation the plugin creates several objects and promises per update, and most updates need no conversation.

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
    const installed = new Set([resumed])
    ctx.conversation = {
      ...conversation,
      async enter(name, ...args) {
        if (!installed.has(name)) await installers.get(name)?.(ctx, async () => undefined)
        installed.add(name)
        return conversation.enter(name, ...args)
      },
    }
    const resume = resumed === undefined ? undefined : installers.get(resumed)
    await (resume ? resume(ctx, next) : next())
  }
}
