// The usual stack, which takes the same orders as the app: grammY's runner with `sequentialize`, a session in PostgreSQL, Drizzle, and
// graphile-worker for the work, used as their documentation shows. The tap holds the money; jobs submit the order, look at its task after the
// callback and capture the money, and deliver the song. It leaves out everything that the app does beyond that.

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { run, sequentialize } from '@grammyjs/runner'
import { and, eq, gte, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  Bot,
  type Context,
  InlineKeyboard,
  InputFile,
  InputMediaBuilder,
  type SessionFlavor,
  type StorageAdapter,
  session,
} from 'grammy'
import { Logger, run as runWorker } from 'graphile-worker'
import { z } from 'zod'

const env = z
  .object({
    BOT_TOKEN: z.string(),
    TELEGRAM_API_ROOT: z.string(),
    GATEWAY_URL: z.string(),
    DATABASE_URL: z.string(),
    PORT: z.coerce.number(),
    PUBLIC_URL: z.string(),
  })
  .parse(process.env)

const users = pgTable('users', {
  id: bigint({ mode: 'number' }).primaryKey(),
  available: bigint({ mode: 'bigint' }).notNull(),
  held: bigint({ mode: 'bigint' }).notNull(),
})
const orders = pgTable('orders', {
  id: text().primaryKey(),
  userId: bigint('user_id', { mode: 'number' }).notNull(),
  messageId: bigint('message_id', { mode: 'number' }).notNull(),
  prompt: text().notNull(),
  amount: bigint({ mode: 'bigint' }).notNull(),
  state: text({ enum: ['held', 'running', 'succeeded', 'delivered'] }).notNull(),
  taskId: text('task_id'),
  fileUrl: text('file_url'),
})
const transfers = pgTable(
  'transfers',
  {
    orderId: text('order_id').notNull(),
    kind: text({ enum: ['hold', 'capture'] }).notNull(),
    amount: bigint({ mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.kind] })],
)
interface Draft {
  readonly id: string
  readonly prompt: string
}
interface Session {
  draft?: Draft
}
const sessions = pgTable('sessions', { key: text().primaryKey(), value: jsonb().$type<Session>().notNull() })

const db = drizzle(env.DATABASE_URL)
await db.execute(sql`
  create table if not exists users (id bigint primary key, available bigint not null, held bigint not null);
  create table if not exists orders (id text primary key, user_id bigint not null references users, message_id bigint not null,
    prompt text not null, amount bigint not null, state text not null, task_id text unique, file_url text);
  create table if not exists transfers (order_id text references orders, kind text, amount bigint not null,
    primary key (order_id, kind));
  create table if not exists sessions (key text primary key, value jsonb not null)`)

const welcomeCredit = 100_000_00n
const price = 6_60n

// The bot

type MyContext = Context & SessionFlavor<Session>
const bot = new Bot<MyContext>(env.BOT_TOKEN, { client: { apiRoot: env.TELEGRAM_API_ROOT } })

const storage: StorageAdapter<Session> = {
  async read(key) {
    const [found] = await db.select().from(sessions).where(eq(sessions.key, key))
    return found?.value
  },
  async write(key, value) {
    await db
      .insert(sessions)
      .values({ key, value })
      .onConflictDoUpdate({ target: sessions.key, set: { value } })
  },
  async delete(key) {
    await db.delete(sessions).where(eq(sessions.key, key))
  },
}

const keyOf = (ctx: Context) => ctx.chat?.id.toString()
bot.use(sequentialize(keyOf))
bot.use(session({ initial: (): Session => ({}), storage, getSessionKey: keyOf }))

bot.command('music', async (ctx) => {
  if (!ctx.from) return
  await db.insert(users).values({ id: ctx.from.id, available: welcomeCredit, held: 0n }).onConflictDoNothing()
  const draft = { id: randomUUID(), prompt: ctx.match }
  ctx.session.draft = draft
  const keyboard = new InlineKeyboard().text('Generate', `order:${draft.id}`)
  await ctx.reply(`Prompt: ${draft.prompt}`, { reply_markup: keyboard })
})

bot.callbackQuery(/^order:(.+)$/, async (ctx) => {
  const { draft } = ctx.session
  if (!draft || draft.id !== ctx.match[1]) return ctx.answerCallbackQuery('This card is out of date.')
  const isHeld = await hold(ctx.from.id, ctx.callbackQuery.message?.message_id ?? 0, draft)
  if (!isHeld) return ctx.answerCallbackQuery('Your balance is too low.')
  delete ctx.session.draft
  await ctx.answerCallbackQuery()
  return ctx.editMessageText('Working on it…')
})

/** Reserves the money and adds the job, in one transaction. @returns whether there was enough money */
const hold = (userId: number, messageId: number, { id, prompt }: Draft): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [paid] = await tx
      .update(users)
      .set({ available: sql`${users.available} - ${price}`, held: sql`${users.held} + ${price}` })
      .where(and(eq(users.id, userId), gte(users.available, price)))
      .returning()
    if (!paid) return false
    await tx.insert(orders).values({ id, userId, messageId, prompt, amount: price, state: 'held' })
    await tx.insert(transfers).values({ orderId: id, kind: 'hold', amount: price })
    await tx.execute(sql`select graphile_worker.add_job('submit', ${JSON.stringify({ orderId: id })}::json)`)
    return true
  })

// The work

const created = z.object({ id: z.string() })
const task = z.object({ status: z.string(), data: z.array(z.object({ url: z.string() })) })

type Order = typeof orders.$inferSelect

async function orderOf(payload: unknown): Promise<Order> {
  const { orderId } = z.object({ orderId: z.string() }).parse(payload)
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  if (!order) throw new Error('the order of a job is stored')
  return order
}

async function submit({ id, prompt }: Order): Promise<void> {
  const answer = await fetch(`${env.GATEWAY_URL}/v1/audio/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench-key' },
    body: JSON.stringify({ model: 'MODEL-MUSIC', prompt, callBackUrl: `${env.PUBLIC_URL}/callbacks/${id}` }),
  })
  const { id: taskId } = created.parse(await answer.json())
  await db.update(orders).set({ state: 'running', taskId }).where(eq(orders.id, id))
}

/** @returns whether the task is completed and the money captured */
async function look({ id, userId, amount, taskId }: Order): Promise<boolean> {
  if (!taskId) throw new Error('the callback came before the answer of the submit: tried again soon')
  const answer = await fetch(`${env.GATEWAY_URL}/v1/tasks/${taskId}`)
  const { status, data } = task.parse(await answer.json())
  if (status !== 'completed') return false
  await db.transaction(async (tx) => {
    const [settled] = await tx
      .update(orders)
      .set({ state: 'succeeded', fileUrl: data[0]?.url ?? null })
      .where(and(eq(orders.id, id), eq(orders.state, 'running')))
      .returning()
    if (!settled) return
    await tx
      .update(users)
      .set({ held: sql`${users.held} - ${amount}` })
      .where(eq(users.id, userId))
    await tx.insert(transfers).values({ orderId: id, kind: 'capture', amount })
    await tx.execute(sql`select graphile_worker.add_job('deliver', ${JSON.stringify({ orderId: id })}::json)`)
  })
  return true
}

async function deliver({ id, userId, messageId, fileUrl }: Order): Promise<void> {
  const file = await fetch(fileUrl ?? '')
  const song = new InputFile(new Uint8Array(await file.arrayBuffer()), 'song.mp3')
  await bot.api.editMessageMedia(userId, messageId, InputMediaBuilder.audio(song, { caption: 'Done.' }))
  await db.update(orders).set({ state: 'delivered' }).where(eq(orders.id, id))
}

/** The callback comes earlier, as a rule. */
const later = (orderId: string) => ({ jobKey: `look:${orderId}`, runAt: new Date(Date.now() + 30_000) })

const worker = await runWorker({
  connectionString: env.DATABASE_URL,
  concurrency: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: {
    async submit(job, { addJob }) {
      const order = await orderOf(job)
      // Added first, so that it does not take the place of the job of an early callback.
      await addJob('look', { orderId: order.id }, later(order.id))
      await submit(order)
    },
    async look(job, { addJob }) {
      const order = await orderOf(job)
      if (!(await look(order))) await addJob('look', { orderId: order.id }, later(order.id))
    },
    deliver: async (job) => deliver(await orderOf(job)),
  },
})

/** The callback of the gateway makes the next look due now. */
createServer(async (req, res) => {
  const orderId = req.url?.split('/').at(-1) ?? ''
  await worker.addJob('look', { orderId }, { jobKey: `look:${orderId}` })
  res.end()
}).listen(env.PORT, '127.0.0.1')

run(bot)
