// The bare bot: a minimal grammY bot that echoes messages, with grammY's defaults.

import { Bot } from 'grammy'

const { BOT_TOKEN = '', TELEGRAM_API_ROOT: apiRoot = '' } = process.env
const bot = new Bot(BOT_TOKEN, { client: { apiRoot } })
bot.on('message:text', (ctx) => ctx.reply(ctx.msg.text))
await bot.start()
