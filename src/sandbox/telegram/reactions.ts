// Reactions: their shape, and the emoji that Telegram accepts.

import type { ReactionType } from 'grammy/types'
import { z } from 'zod'

/** The emoji that Telegram accepts as a reaction. */
const reactionEmoji = new Set(
  `👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋
   🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`.split(
    /\s+/,
  ),
)

/** Whether Telegram accepts the reaction. Clients send some emoji with a variation selector, which Telegram ignores. */
export const mayReact = (reaction: ReactionType): boolean =>
  reaction.type === 'emoji' && reactionEmoji.has(reaction.emoji.replace(/\ufe0f/g, ''))

export const reaction = z.custom<ReactionType>(
  (value) => z.looseObject({ type: z.enum(['emoji', 'custom_emoji', 'paid']) }).safeParse(value).success,
)
