// /support, /paysupport, /terms, /privacy: texts that the operator replaces with their own (TEXTS_DIR).

import { Composer } from 'grammy'
import type { BotDeps, Ctx } from '../context.ts'

export function legal({ operator }: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  for (const page of ['support', 'paysupport', 'terms', 'privacy'] as const) {
    composer.command(page, async (ctx) => {
      const contact = operator.contact ?? ctx.say.plain('no-contact')
      await ctx.reply(ctx.say.html(`legal-${page}`, { contact }), {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      })
    })
  }
  return composer
}
