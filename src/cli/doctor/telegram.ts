// Checks Telegram: the token, whether Telegram is reachable, the webhook, waiting updates, and the modes that are set at BotFather.

import { type Config, staffOf } from '../../config.ts'
import { updatesPath } from '../../http/routes.ts'
import { type Clock, hourMs } from '../../runtime/clock.ts'
import { causesOf } from '../../runtime/log.ts'
import { Agent, request } from '../../runtime/undici.ts'
import { type ChatMember, inspectBot, type UserFromGetMe, type WebhookInfo } from '../../telegram/identify.ts'
import { type Check, type Finding, type Maybe, neverStarted, note, notRunning, ok, wrong } from './finding.ts'

/** Older errors of the webhook are not reported. */
const recentMs = hourMs
const manyWaiting = 100

export const telegramCheck = (config: Config, clock: Clock): Check => ({
  subject: 'telegram',
  async run() {
    const { botToken, telegramApiRoot: apiRoot, telegramProxy: proxy, operator } = config
    const found = await inspectBot(botToken, { apiRoot, proxy }, clock, staffOf(operator), operator.chat)
    if (!found.ok) return [wrong(found.trouble)]
    const { me, webhook, wasStarted, unreached, inGroup } = found
    return [
      ok(`@${me.username} answers at ${apiRoot}${proxy ? ` through the proxy ${new URL(proxy).host}` : ''}`),
      !wasStarted && neverStarted,
      ...modesOf(me),
      ...unreached.map((id) => silent(id, operator)),
      operator.chat !== undefined && groupOf(inGroup),
      ...webhookOf(config, webhook, clock.now()),
    ]
  },
})

const silent = (id: number, { ids }: Config['operator']): Finding => {
  const [list, lost] = ids.includes(id) ? ['ADMIN_IDS', 'alarms'] : ['SUPPORT_IDS', 'reports']
  return wrong(
    `${list}: Telegram delivers no ${lost} to ${id}: this person must write to the bot and not block it, or the id is wrong`,
  )
}

/** What the bot may do in the group of the operators. */
function groupOf(bot: ChatMember | undefined): Finding {
  if (!bot || bot.status === 'left' || bot.status === 'kicked')
    return wrong(
      'ADMIN_CHAT: the bot is in no such group: add it, or correct the id (a supergroup has a new one)',
    )
  if (bot.status === 'administrator' && bot.can_manage_topics)
    return ok(
      'ADMIN_CHAT: the bot may make topics in the group of the operators, if they are switched on there',
    )
  return note(
    'ADMIN_CHAT: the bot may not manage topics, so all goes into one: make it an administrator with that right',
  )
}

const modesOf = (me: UserFromGetMe): Maybe[] => [
  me.can_read_all_group_messages
    ? ok('privacy mode is off: the bot reads all messages of groups')
    : note(
        'privacy mode is on: in groups the bot gets commands, mentions and replies only; to change it write /setprivacy to BotFather',
      ),
  !me.supports_inline_queries &&
    note('inline mode is off: to offer results in any chat write /setinline to BotFather'),
]

function webhookOf({ updates, publicUrl = '' }: Config, info: WebhookInfo, now: Date): Finding[] {
  return [
    addressOf(updates === 'webhook' ? publicUrl + updatesPath : '', info.url ?? ''),
    ...errorOf(info, now),
    waitingOf(info),
  ]
}

/** @param wanted empty for polling */
function addressOf(wanted: string, set: string): Finding {
  if (wanted === set)
    return ok(wanted === '' ? 'no webhook is set, as UPDATES=polling needs' : `the webhook is ${set}`)
  if (wanted === '')
    return wrong(
      `a webhook is set (${set}), and UPDATES=polling: start the bot, which deletes it; if it comes back, another installation uses this token`,
    )
  if (set === '')
    return notRunning('no webhook is set, and UPDATES=webhook', `start the web process, which sets ${wanted}`)
  return wrong(
    `the webhook is ${set} in place of ${wanted}: start the web process; if it changes back, another installation uses this token`,
  )
}

function errorOf({ last_error_date, last_error_message }: WebhookInfo, now: Date): Finding[] {
  if (!last_error_message || !last_error_date) return []
  const at = new Date(last_error_date * 1000)
  const what = `the webhook failed at ${at.toISOString()}: ${last_error_message}`
  if (now.getTime() - at.getTime() > recentMs) return [note(what)]
  return [wrong(`${what}; look at the log of the web process and of the proxy before it`)]
}

function waitingOf({ pending_update_count: count }: WebhookInfo): Finding {
  if (count <= manyWaiting) return ok(`${count} updates wait at Telegram`)
  return wrong(
    `${count} updates wait at Telegram: the bot takes none, or too slowly; look at its log, and start it or more of it`,
  )
}

// Checks the public address: whether a request to it reaches the app.

const timeoutMs = 5000

export const addressCheck = ({ publicUrl, updates }: Config): Check => ({
  subject: 'address',
  async run() {
    if (!publicUrl)
      return [note('no PUBLIC_URL: tasks are polled, and the gateway cannot fetch the files of users')]
    const dispatcher = new Agent({ connect: { timeout: timeoutMs } })
    try {
      // Only this app answers a request to the webhook without the secret with 401.
      const answer = await request(publicUrl + updatesPath, {
        dispatcher,
        method: 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      await answer.body.dump()
      // A proxy that asks for a password answers 401 as well, with this header.
      const isOurs = answer.statusCode === 401 && answer.headers['www-authenticate'] === undefined
      return [found(publicUrl, updates, answer.statusCode, isOurs)]
    } catch (error) {
      return [unreachable(publicUrl, error)]
    } finally {
      await dispatcher.destroy()
    }
  },
})

function unreachable(publicUrl: string, error: unknown): Finding {
  const cause = causesOf(error).at(-1) ?? ''
  // Unlike the web process, a DNS record is there before the first start.
  if (cause.includes('getaddrinfo'))
    return wrong(
      `PUBLIC_URL: the name in ${publicUrl} cannot be resolved (${cause}): correct it, or check its DNS record`,
    )
  return notRunning(
    `PUBLIC_URL: nothing answers at ${publicUrl} (${cause})`,
    'start the web process, and check the proxy and the firewall',
  )
}

function found(publicUrl: string, updates: Config['updates'], status: number, isOurs: boolean): Finding {
  if (updates === 'webhook' && isOurs) return ok(`${publicUrl} leads to this bot`)
  if (updates === 'polling' && status < 500)
    return note(
      `not checked: ${publicUrl} answers ${status}, as any server might; a callback of an order proves it`,
    )
  return notRunning(
    `PUBLIC_URL: ${publicUrl}${updatesPath} answers ${status}`,
    'start the web process, and let the proxy pass this path to its PORT',
  )
}
