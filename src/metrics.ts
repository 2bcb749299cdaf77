// Prometheus metrics of this process: one registry, with a narrow interface for each subject. Label values come from closed lists, the
// catalog and the code, never from users: no person, text, address or secret.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** The label values that come from other parts of the app. */
interface LabelValues {
  readonly models: readonly string[]
  /** How a generation can be settled. */
  readonly endings: readonly string[]
  readonly textModels: readonly string[]
  /** Operations of the gateway's client. */
  readonly operations: readonly string[]
}

interface Options {
  /** Reads the gauges of the database at every scrape; without this function there are no such gauges. */
  readonly figures?: ReadFigures
  /** Adds the metrics of the process: event loop, memory, garbage collection. */
  readonly ofProcess?: boolean
  /** The label values for which counters begin with 0. */
  readonly values?: LabelValues
}

const noValues: LabelValues = { models: [], endings: [], textModels: [], operations: [] }

export function createMetrics({ figures, ofProcess = false, values = noValues }: Options = {}) {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const refresh = figures && createFigures(registry, figures)
  const makers = makersOf(registry)
  return {
    orders: createOrderMetrics(makers, values),
    answers: createAnswerMetrics(makers, values),
    updates: createUpdateMetrics(makers, registry),
    gateway: createGatewayMetrics(makers, values),
    telegram: createTelegramMetrics(makers),
    contentType: registry.contentType,
    /** All metrics in the text format. The figures are read from the database at this moment. */
    async render() {
      await refresh?.()
      return registry.metrics()
    },
  }
}

function makersOf(registry: Registry) {
  const registers = [registry]
  return {
    /**
     * Prometheus sees no increase in a counter that appears with its first increment, so an alert would miss the first failures.
     * @param labels the labels, with the values for which the counter begins at 0
     */
    counter<L extends string>(name: string, help: string, labels: Readonly<Record<L, readonly string[]>>) {
      const labelNames: L[] = []
      let combinations: readonly Partial<Record<L, string>>[] = [{}]
      for (const label in labels) {
        labelNames.push(label)
        combinations = combinations.flatMap((one) =>
          labels[label].map((value) => ({ ...one, [label]: value })),
        )
      }
      const counter = new Counter({ name, help, labelNames, registers })
      for (const one of combinations) counter.inc(one, 0)
      return counter
    },
    seconds: <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
  }
}

type Makers = ReturnType<typeof makersOf>

const deliveryOutcomes = ['delivered', 'undeliverable', 'later'] as const
type Delivered = (typeof deliveryOutcomes)[number]
const deliverBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 1800]

/** Generations: confirmed, polled, called back, settled, delivered. */
export type OrderMetrics = ReturnType<typeof createOrderMetrics>

const settleBuckets = [2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800]
const lookStatuses = ['queued', 'processing', 'completed', 'failed', 'canceled', 'unread']

function createOrderMetrics({ counter, seconds }: Makers, { models: model, endings: ending }: LabelValues) {
  const confirmed = counter('bot_orders_confirmed_total', 'Orders whose price was held', { model })
  const settled = counter('bot_generations_settled_total', 'Settled generations, by ending', {
    model,
    ending,
  })
  const settleHelp = 'From the confirmation to the capture or release'
  const settleSeconds = seconds('bot_settle_seconds', settleHelp, settleBuckets, 'model')
  const lateHelp = 'Results that came after the refund and were delivered free'
  const late = counter('bot_late_results_total', lateHelp, { model })
  const lost = counter('bot_lost_results_total', 'Results that could not be downloaded', { model })
  const deliverHelp = 'Attempts to deliver a result or a failure message'
  const deliveries = counter('bot_deliveries_total', deliverHelp, { outcome: deliveryOutcomes })
  const deliverSeconds = seconds('bot_deliver_seconds', 'From the settlement to the delivery', deliverBuckets)
  const looksHelp = 'Polls of gateway tasks, by reported status'
  const looks = counter('bot_looks_total', looksHelp, { status: lookStatuses })
  const callbacksHelp = 'Callbacks of the gateway, by whether the address was known'
  const callbacks = counter('bot_callbacks_total', callbacksHelp, { known: ['yes', 'no'] })
  return {
    /** An order was confirmed and its price held. */
    confirmed: (model: string) => confirmed.inc({ model }),
    /** @param ending `succeeded` or the reason of the failure @param sinceMs time since the confirmation */
    settled(model: string, ending: string, sinceMs: number) {
      settled.inc({ model, ending })
      settleSeconds.observe({ model }, sinceMs / 1000)
    },
    /** @param sinceMs time since the generation was settled */
    delivered(outcome: Delivered, sinceMs: number) {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliverSeconds.observe(sinceMs / 1000)
    },
    /** @param status the task status that the gateway reported, or `unread` */
    looked: (status: string) => looks.inc({ status }),
    calledBack: (isKnown: boolean) => callbacks.inc({ known: isKnown ? 'yes' : 'no' }),
    arrivedLate: (model: string) => late.inc({ model }),
    lost: (model: string, results: number) => lost.inc({ model }, results),
  }
}

interface Ended {
  readonly modelId: string
  /** `done`, `stopped` or `failed`. */
  readonly state: string
  /** Null in a failed answer that its user stopped before the first word. */
  readonly failure: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** An answer that failed or broke off ends for its reason, so that an alert can leave out reasons that are no fault of the model. */
const endings = ['done', 'stopped', 'refused', 'too-large', 'paused', 'unavailable', 'empty', 'declined']
const endingOf = ({ state, failure }: Ended): string => failure ?? (state === 'failed' ? 'stopped' : state)

/** Answers of text models: endings, tokens, deliveries. */
function createAnswerMetrics({ counter, seconds }: Makers, { textModels: model }: LabelValues) {
  const answersHelp = 'Finished answers of text models, by ending: done, stopped, or the reason of a failure'
  const answers = counter('bot_answers_total', answersHelp, { model, ending: endings })
  const tokensHelp = 'Tokens of questions (input) and answers (output)'
  const tokens = counter('bot_answer_tokens_total', tokensHelp, { model, side: ['input', 'output'] })
  const deliverHelp = 'Attempts to deliver an answer of a text model'
  const deliveries = counter('bot_answer_deliveries_total', deliverHelp, { outcome: deliveryOutcomes })
  const secondsHelp = 'From the end of an answer to its last message in the chat'
  const deliverSeconds = seconds('bot_answer_deliver_seconds', secondsHelp, deliverBuckets)
  return {
    ended(turn: Ended) {
      const { modelId, inputTokens, outputTokens } = turn
      answers.inc({ model: modelId, ending: endingOf(turn) })
      tokens.inc({ model: modelId, side: 'input' }, inputTokens ?? 0)
      tokens.inc({ model: modelId, side: 'output' }, outputTokens ?? 0)
    },
    /** @param sinceMs time since the answer was settled */
    delivered(outcome: Delivered, sinceMs: number) {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliverSeconds.observe(sinceMs / 1000)
    },
  }
}

const handledOutcomes = ['done', 'failed', 'given-up', 'set-aside'] as const
export type Handled = (typeof handledOutcomes)[number]

/** Telegram's updates: received, handled, failed, and how long they took. */
export type UpdateMetrics = ReturnType<typeof createUpdateMetrics>

const updateBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

function createUpdateMetrics({ counter, seconds }: Makers, registry: Registry) {
  const received = counter('bot_updates_received_total', 'Received updates, without repeated ones', {
    kind: [],
  })
  const handledHelp = 'Attempts to handle an update, by outcome'
  const handled = counter('bot_updates_handled_total', handledHelp, { outcome: handledOutcomes })
  const secondsHelp = 'From the arrival of an update to the end of its handling'
  const handleSeconds = seconds('bot_update_seconds', secondsHelp, updateBuckets)
  const pendingHelp = 'Updates that wait at Telegram, in processes that send alarms'
  const pendingUpdates = gauge(registry, 'bot_webhook_pending_updates', pendingHelp)
  const errorHelp = 'When Telegram could not deliver an update to the webhook, in processes that send alarms'
  const lastError = gauge(registry, 'bot_webhook_last_error_timestamp_seconds', errorHelp)
  return {
    /**
     * An update may contain any field names: only those in Telegram's style become labels.
     * @param kind the name of the update's content field: `message`, `callback_query`, …
     */
    received: (kind: string) => received.inc({ kind: /^[a-z_]{3,40}$/.test(kind) ? kind : 'other' }),
    /** @param sinceMs time since the update was received */
    handled(outcome: Handled, sinceMs: number) {
      handled.inc({ outcome })
      handleSeconds.observe(sinceMs / 1000)
    },
    /** What Telegram says of the webhook. @param errorAt in seconds; 0 for no error */
    webhook(pending: number, errorAt: number) {
      pendingUpdates.set(pending)
      lastError.set(errorAt)
    },
  }
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>

/** Errors are recognised by name: this room does not import the gateway. */
const errorOutcomes: Readonly<Record<string, string>> = {
  GatewayRefused: 'refused',
  GatewayUnauthorised: 'unauthorised',
  GatewayOutOfBalance: 'out-of-balance',
  GatewayUnavailable: 'unavailable',
  GatewayRateLimited: 'rate-limited',
  GatewayUnknownOutcome: 'unknown',
  GatewayMalformed: 'malformed',
}

/** A synchronous result may take three minutes. */
const gatewayBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]

function createGatewayMetrics({ counter, seconds }: Makers, { operations }: LabelValues) {
  const requests = counter('bot_gateway_requests_total', 'Requests to the gateway', {
    operation: operations,
    outcome: ['done', ...Object.values(errorOutcomes), 'error'],
  })
  const help = 'How long the gateway took, for streams until their end'
  const askSeconds = seconds('bot_gateway_seconds', help, gatewayBuckets, 'operation')
  const outcomeOf = (error: unknown) => (error instanceof Error && errorOutcomes[error.name]) || 'error'
  return {
    /** A request to the gateway ended; `error` is undefined when it succeeded. */
    asked(operation: string, error: unknown, elapsedMs: number) {
      requests.inc({ operation, outcome: error === undefined ? 'done' : outcomeOf(error) })
      askSeconds.observe({ operation }, elapsedMs / 1000)
    },
  }
}

const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]
const usualCodes = ['200', '400', '403', '429', '500', '502', '503', '504', 'none']
const usualMethods = [
  ...['getUpdates', 'getFile', 'sendMessage', 'editMessageText', 'answerCallbackQuery', 'sendChatAction'],
  ...['sendPhoto', 'sendVideo', 'sendVoice', 'sendAudio', 'sendDocument', 'sendMediaGroup'],
  ...['sendInvoice', 'answerPreCheckoutQuery'],
]

function createTelegramMetrics({ counter, seconds }: Makers) {
  const callsHelp = 'Calls to the Bot API, by method and HTTP status'
  const calls = counter('bot_telegram_calls_total', callsHelp, { method: usualMethods, code: usualCodes })
  const help = 'How long the Bot API took, without long polling'
  const callSeconds = seconds('bot_telegram_seconds', help, callBuckets)
  return {
    /**
     * A call to the Bot API ended. The URL contains the bot token: only the method is kept.
     * @param url the full URL of the call @param status undefined when there was no response
     */
    called(url: string | URL, status: number | undefined, elapsedMs: number) {
      const method = methodIn(url)
      calls.inc({ method, code: status === undefined ? 'none' : String(status) })
      if (method !== 'getUpdates') callSeconds.observe(elapsedMs / 1000)
    },
  }
}

/** The method in the URL of a call: `sendMessage` in `https://api.telegram.org/bot<token>/sendMessage`. */
function methodIn(url: string | URL): string {
  const [, method] = /\/bot[^/]+\/([a-z][a-zA-Z]{2,40})(\?|$)/.exec(String(url)) ?? []
  return method ?? 'other'
}

const gauge = (registry: Registry, name: string, help: string, label?: string) =>
  new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers: [registry] })

/** Gauges read from the database. Every process reports the same values: aggregate them with `max`, not with `sum`. */
const gauges = {
  money: ['bot_money_kopecks', 'Sum of the transfers of each account', 'account'],
  balances: ['bot_balances_kopecks', 'Sum of the balances of users: available and held', 'part'],
  users: ['bot_users', 'Users, including deleted ones'],
  generations: ['bot_generations', 'Generations by state', 'state'],
  dueSeconds: ['bot_due_generation_seconds', 'How long the oldest due generation has waited for a process'],
  updateSeconds: ['bot_waiting_update_seconds', 'How long the oldest update has waited to be handled'],
  waitingUpdates: ['bot_waiting_updates', 'Updates that are not handled yet'],
  undeliveredSeconds: [
    'bot_undelivered_seconds',
    'How long the oldest settled generation or answer waits for its delivery',
  ],
  alarms: ['bot_alarms', 'Open alarms', 'kind'],
  salesStops: [
    'bot_sales_stops',
    'Active sales stops: the gateway refuses requests or cannot be reached',
    'cause',
  ],
  lastRuns: ['bot_last_run_age_seconds', 'Time since a regular job was completed: audit, backup', 'job'],
} as const

/** A number, or numbers by the value of the label; zeros of labels are left out. */
export type Figures = {
  readonly [Name in keyof typeof gauges]: (typeof gauges)[Name] extends readonly [string, string]
    ? number
    : Readonly<Record<string, number>>
}
export type ReadFigures = () => Promise<Figures>

/** @returns a function that refreshes the gauges; while the database is unavailable, only `bot_database_up` is reported */
function createFigures(registry: Registry, read: ReadFigures): () => Promise<void> {
  const up = gauge(registry, 'bot_database_up', 'Whether the database answered this scrape')
  const setters = Object.entries(gauges).map(([key, [name, help, label]]) => {
    const one = gauge(registry, name, help, label)
    return (values: ReadonlyMap<string, Figures[keyof Figures]>) => {
      const value = values.get(key)
      one.reset()
      if (typeof value === 'number') one.set(value)
      else if (label === undefined) one.remove()
      else for (const [of, count] of Object.entries(value ?? {})) one.labels(of).set(count)
    }
  })
  return async () => {
    const figures = await read().catch(() => undefined)
    up.set(figures ? 1 : 0)
    for (const set of setters) set(new Map(Object.entries(figures ?? {})))
  }
}
