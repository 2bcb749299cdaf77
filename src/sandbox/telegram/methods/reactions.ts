// The emoji that Telegram accepts as a reaction of a bot.

import type { ReactionType } from 'grammy/types'

const emoji = new Set(
  `👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋
   🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`.split(
    /\s+/,
  ),
)

/** Clients send some of these with a variation selector, which Telegram ignores. */
export const mayReact = (reaction: ReactionType): boolean =>
  reaction.type === 'emoji' && emoji.has(reaction.emoji.replace(/\ufe0f/g, ''))
