// The callback data of every button of the bot. Messages keep their buttons for years: a format may be added, never changed.

import assert from 'node:assert/strict'
import { z } from 'zod'
import { commands, shapes } from '../catalog/model.ts'
import { personaNames } from '../catalog/text-models.ts'
import { choiceValues, modeNames } from '../catalog/text-modes.ts'
import { audiences, problemReasons } from '../db/schema.ts'
import { locales } from '../texts.ts'

// A tap: the callback data of a button. One declaration (wire format and schemas of the arguments) gives the builder, used to draw the
// button, and the parser, used to handle the tap. Any user can send any callback data, so the parser validates it.

/** Telegram's limit for callback data. */
const maxDataBytes = 64

export interface Tap<Args> {
  /** The wire format, like `c:{draftId}:s:{field}:{value}`. */
  readonly format: string
  /** @throws AssertionError when the data exceeds Telegram's limit, ZodError when an argument is not valid */
  data(...given: Given<Args>): string
  /** Reads callback data; undefined for the data of other taps and for invalid arguments. */
  parse(data: string): Args | undefined
}

/** The parameters of `data`; a tap without arguments needs none. */
type Given<Args> = Record<never, never> extends Args ? [args?: Args] : [args: Args]

type NamesIn<Format extends string> = Format extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** A schema for each argument, whose input is its text on the wire. */
type Shape = Readonly<Record<string, z.ZodType<unknown, string>>>
type ArgsOf<S extends Shape> = z.output<z.ZodObject<S, z.core.$strict>>

const argument = /\{(\w+)\}/g

/** Arguments are separated by colons; only the last one may contain them. */
export function tap<const Format extends string, S extends Shape & Record<NamesIn<Format>, unknown>>(
  format: Format,
  shape: S & Record<Exclude<keyof S, NamesIn<Format>>, never>,
): Tap<ArgsOf<S>> {
  const schema: z.ZodObject<S, z.core.$strict> = z.strictObject(shape)
  const pattern = patternOf(format)
  return {
    format,
    data: (...[args]) => dataOf(format, schema, { ...args }),
    parse(data) {
      const match = pattern.exec(data)
      return match ? schema.safeParse({ ...match.groups }).data : undefined
    },
  }
}

function patternOf(format: string): RegExp {
  const source = format.replaceAll(argument, (whole, name: string, at: number) => {
    const isLast = at + whole.length === format.length
    return `(?<${name}>${isLast ? '.*' : '[^:]*'})`
  })
  return new RegExp(`^${source}$`, 's')
}

function dataOf(format: string, schema: z.ZodObject, args: Record<string, unknown>): string {
  const texts = z.encode(schema, args)
  const data = format.replaceAll(argument, (_, name: string) => String(texts[name]))
  const bytes = Buffer.byteLength(data)
  assert(bytes <= maxDataBytes, `callback data ${format} takes ${bytes} bytes of ${maxDataBytes}`)
  return data
}

/** Text that matches a pattern. */
export const text = (pattern: RegExp) => z.string().regex(pattern)

/** A whole number of at most `digits` digits. */
const whole = (digits: number, min = 0, max = 10 ** digits - 1) =>
  z.codec(z.string().regex(new RegExp(`^\\d{1,${digits}}$`)), z.int().min(min).max(max), {
    decode: Number,
    encode: String,
  })

/** A whole number of at most `digits` digits, which may exceed the exact range of a JavaScript number. */
const big = (digits: number, max = 10n ** BigInt(digits) - 1n, min = 0n) =>
  z.codec(z.string().regex(new RegExp(`^\\d{1,${digits}}$`)), z.bigint().min(min).max(max), {
    decode: BigInt,
    encode: String,
  })

const id = text(/^[a-z0-9]{10}$/)
const name = text(/^[\w.-]{1,40}$/)
const amount = big(12, undefined, 1n)
const providerId = text(/^[a-z-]{1,20}$/)
/** The number of a row: a 64-bit integer of PostgreSQL. */
const userId = big(19, 2n ** 63n - 1n)
const walletId = userId
const page = whole(6)
/** The position of a file among those of a result. */
const position = whole(2)
/** The number of a user's row in base 36. */
const owner = text(/^[0-9a-z]{1,12}$/)

/** Which orders of the user a list shows. */
export const historyFilters = [
  'all',
  'favourite',
  'image',
  'video',
  'audio',
  'object3d',
  'done',
  'failed',
  'hidden',
] as const
export type HistoryFilter = (typeof historyFilters)[number]
const historyFilter = z.enum(historyFilters)

/** The uses of a result's file in another order. */
export const resultUses = ['animate', 'last-frame', 'talk', 'texture', 'extend', 'sound', 'voice'] as const
export type ResultUse = (typeof resultUses)[number]

const broadcastSetting = z.enum(['source', 'days', 'button', 'time'])
const broadcastStep = z.enum(['ask', 'start', 'pause', 'edit', 'stop'])

export const taps = {
  // The card of a draft.
  openField: tap('c:{draftId}:o:{field}', { draftId: id, field: name }),
  openAdvanced: tap('c:{draftId}:v', { draftId: id }),
  openModels: tap('c:{draftId}:n', { draftId: id }),
  openMain: tap('c:{draftId}:b', { draftId: id }),
  switchModel: tap('c:{draftId}:m:{modelId}', { draftId: id, modelId: name }),
  setField: tap('c:{draftId}:s:{field}:{value}', { draftId: id, field: name, value: text(/^.{1,48}$/s) }),
  hearVoice: tap('c:{draftId}:h:{field}:{value}', { draftId: id, field: name, value: text(/^.{1,48}$/s) }),
  clearField: tap('c:{draftId}:x:{field}', { draftId: id, field: name }),
  askField: tap('c:{draftId}:a:{field}', { draftId: id, field: name }),
  rewritePrompt: tap('c:{draftId}:e', { draftId: id }),
  /** Rewrites a typed text, which the note of its message keeps. */
  rewriteTyped: tap('c:{draftId}:e:{messageId}', { draftId: id, messageId: whole(9) }),
  /** Has a text model suggest another prompt. */
  suggest: tap('c:{draftId}:i:{rewriting}', {
    draftId: id,
    rewriting: z.enum(['translate', 'shorten', 'improve', 'lyrics']),
  }),
  /** Shows the suggested prompt, takes it, or returns to the user's own words. */
  suggested: tap('c:{draftId}:j:{act}', { draftId: id, act: z.enum(['show', 'take', 'own']) }),
  resetDraft: tap('c:{draftId}:r', { draftId: id }),
  openPresets: tap('c:{draftId}:p', { draftId: id }),
  useLast: tap('c:{draftId}:l', { draftId: id }),
  usePreset: tap('c:{draftId}:u:{presetId}', { draftId: id, presetId: id }),
  savePreset: tap('c:{draftId}:w', { draftId: id }),
  /** Begins a top-up for this card, for which the balance is too low. The card is sent again once the top-up is paid. */
  topUpFor: tap('c:{draftId}:t:{amount}', { draftId: id, amount }),
  makeStyle: tap('c:{draftId}:y:{field}', { draftId: id, field: name }),
  /** Chooses the payer: the user, or the wallet of the group. */
  payBy: tap('c:{draftId}:p:{payer}', { draftId: id, payer: z.enum(['own', 'group']) }),
  /** Gives the video the length and the quality of a trial. */
  makeTrial: tap('c:{draftId}:q', { draftId: id }),
  dropDraft: tap('c:{draftId}:d', { draftId: id }),
  generate: tap('q:{quoteId}', { quoteId: id }),
  /** Orders a video and the words that it says; `amount` is the price of both. */
  generateSpoken: tap('q:{quoteId}:{amount}', { quoteId: id, amount }),

  // The guide. `step` is the step that shows the button, so that buttons of earlier steps are recognised.
  guide: tap('g:{draftId}', { draftId: id }),
  guideSet: tap('g:{draftId}:s:{step}:{value}', { draftId: id, step: name, value: text(/^.{1,48}$/s) }),
  /** On guides of earlier versions. */
  guideModel: tap('g:{draftId}:m:{modelId}', { draftId: id, modelId: name }),
  guideClear: tap('g:{draftId}:x:{step}', { draftId: id, step: name }),
  /** Goes to the next step, back, or on to the advanced settings. */
  guideGo: tap('g:{draftId}:{way}:{step}', { draftId: id, way: z.enum(['n', 'b', 'v']), step: name }),
  guideDone: tap('g:{draftId}:c', { draftId: id }),
  guideDrop: tap('g:{draftId}:d', { draftId: id }),

  // Questions of conversations.
  stopAsking: tap('k', {}),
  /** Shows the card: all files have been sent, or the settings are chosen before the prompt. */
  showCard: tap('w', {}),
  /** Keeps the present text as the answer. */
  keepText: tap('kt', {}),
  /** Takes a ready prompt: the one that the question shows, or any. */
  takeSample: tap('ks:{which}', { which: z.enum(['shown', 'any']) }),
  /** Makes the settings that were taken from the words of a command words of the prompt again. */
  parametersAsWords: tap('pw', {}),
  stylePicturesSent: tap('yd', {}),
  useFile: tap('u:{command}', { command: z.enum(commands) }),
  /** Has a text model describe the picture, and makes another one of the description. */
  likePicture: tap('us', {}),
  /** Makes a picture say words or a sound. */
  talkFile: tap('ut', {}),
  /** Goes on with the words of a command without its file. */
  useWords: tap('uw:{command}', { command: z.enum(commands) }),
  useAlbum: tap('ul:{as}', { as: z.enum(['frames', 'references']) }),
  pickFile: tap('up:{position}', { position }),
  /** Asks a text model about the picture or the sound whose uses are offered. */
  askFile: tap('ua', {}),
  /** Has another text model answer about the file whose uses are offered, and the questions after it. */
  askBy: tap('uh:{modelId}', { modelId: text(/^.{1,60}$/s) }),

  // The list of presets.
  listPresets: tap('pl', {}),
  showPreset: tap('ps:{presetId}', { presetId: id }),
  startPreset: tap('pu:{presetId}', { presetId: id }),
  deletePreset: tap('px:{presetId}', { presetId: id }),

  // An order that waits.
  cancelOrder: tap('gc:{generationId}', { generationId: id }),

  // The buttons of /start.
  begin: tap('b:{command}', { command: z.enum([...commands, 'chat']) }),
  openModel: tap('om:{modelId}', { modelId: name }),
  /** `amount` is the price that the button shows. */
  orderExample: tap('bx:{amount}', { amount }),

  // Ideas, and orders like a shared one.
  listIdeas: tap('il:{command}', { command: z.enum(commands) }),
  useIdea: tap('iu:{command}:{position}', { command: z.enum(commands), position }),
  showIdea: tap('is:{generationId}', { generationId: id }),
  orderLike: tap('ik:{generationId}', { generationId: id }),
  /** Makes an operator's own result an idea, or takes it from the ideas. */
  setIdea: tap('it:{generationId}:{to}', { generationId: id, to: z.enum(['on', 'off']) }),

  // A result.
  orderAgain: tap('r:{generationId}', { generationId: id }),
  orderChanged: tap('e:{generationId}', { generationId: id }),
  continueVideo: tap('rv:{generationId}', { generationId: id }),
  /** Orders again with the seed of the result. */
  orderExactly: tap('rx:{generationId}', { generationId: id }),
  sendOriginals: tap('o:{generationId}', { generationId: id }),
  /** `amount` is the price that the button shows. */
  orderAtOnce: tap('ro:{generationId}:{amount}', { generationId: id, amount }),
  orderVariations: tap('rn:{generationId}', { generationId: id }),
  orderFull: tap('rq:{generationId}', { generationId: id }),
  /** Orders the final version of a trial, with its seed. */
  orderFinal: tap('ru:{generationId}', { generationId: id }),
  orderPickExactly: tap('rx:{generationId}:{position}', { generationId: id, position }),
  moreOfResult: tap('rm:{generationId}', { generationId: id }),
  pickResult: tap('rm:{generationId}:{position}', { generationId: id, position }),
  lessOfResult: tap('rb:{generationId}', { generationId: id }),
  useResult: tap('rt:{generationId}:{position}:{next}', {
    generationId: id,
    position,
    next: z.enum(resultUses),
  }),
  /** Makes the order a favourite, or an ordinary one again. */
  favourResult: tap('rf:{generationId}:{to}', { generationId: id, to: z.enum(['on', 'off']) }),
  shareResult: tap('rs:{generationId}', { generationId: id }),
  problemOf: tap('rp:{generationId}', { generationId: id }),
  reportReason: tap('rr:{generationId}:{reason}', {
    generationId: id,
    reason: z.enum([...problemReasons, 'words']),
  }),

  // The list of orders, and one order of it.
  historyPage: tap('h:{page}:{owner}', { page, owner }),
  openReceipt: tap('hg:{generationId}:{page}', { generationId: id, page }),
  historyFiltered: tap('hf:{filter}:{page}:{owner}', { filter: historyFilter, page, owner }),
  /** `page` is the page to return to. */
  chooseFilter: tap('hl:{filter}:{page}:{owner}', { filter: historyFilter, page, owner }),
  openFiltered: tap('ho:{generationId}:{filter}:{page}', { generationId: id, filter: historyFilter, page }),
  markOrder: tap('hm:{generationId}:{mark}:{filter}:{page}', {
    generationId: id,
    mark: z.enum(['favourite', 'ordinary', 'hide', 'show']),
    filter: historyFilter,
    page,
  }),
  historyAlbum: tap('ha:{filter}:{page}', { filter: historyFilter, page }),
  sendAgain: tap('hs:{generationId}', { generationId: id }),
  reportProblem: tap('hr:{generationId}', { generationId: id }),
  reportFromReceipt: tap('hq:{generationId}:{reason}', {
    generationId: id,
    reason: z.enum([...problemReasons, 'words']),
  }),

  // The user's account.
  setLanguage: tap('l:{locale}', { locale: z.enum(locales) }),
  /** Whether words without a command are always a question. */
  setWords: tap('lw:{to}', { to: z.enum(['on', 'off']) }),
  /** Whether broadcasts come. */
  setOwnNews: tap('ln:{to}', { to: z.enum(['on', 'off']) }),
  /** The model of the first card of a kind; `-` for the operator's choice. */
  setDefaultModel: tap('lm:{command}:{modelId}', { command: z.enum(commands), modelId: name }),
  /** The shape of the first card of a kind; `-` for the usual one of its model. */
  setDefaultShape: tap('lf:{command}:{shape}', {
    command: z.enum(commands),
    shape: z.enum(['-', ...shapes]),
  }),
  /** Agrees to this version of the operator's terms. */
  consent: tap('cv:{version}', { version: z.string().regex(/^\d{4}-\d\d(-\d\d)?$/) }),
  topUp: tap('t', {}),
  topUpAmount: tap('t:{amount}', { amount }),
  topUpBy: tap('t:{amount}:{providerId}', { amount, providerId }),
  changeEmail: tap('te:{amount}:{providerId}', { amount, providerId }),
  exportData: tap('dx', {}),
  deleteData: tap('d1', {}),
  /** `until` is the time in milliseconds when the question expires. */
  deleteDataNow: tap('d2:{until}', { until: whole(15) }),
  keepData: tap('d0', {}),

  // The wallet of a group.
  openWallet: tap('gw', {}),
  showWallet: tap('gw:{walletId}', { walletId }),
  walletCaps: tap('gwc:{walletId}', { walletId }),
  /** 0 for no limit. */
  setWalletCap: tap('gwc:{walletId}:{cap}', { walletId, cap: big(12) }),
  switchWallet: tap('gws:{walletId}:{to}', { walletId, to: z.enum(['on', 'off']) }),
  /** `key` names the operation: the money is moved once. */
  fundWallet: tap('gwf:{walletId}:{amount}:{key}', { walletId, amount, key: id }),
  topUpWallet: tap('gwt:{walletId}', { walletId }),
  emptyWallet: tap('gwb:{walletId}:{key}', { walletId, key: id }),

  // Answers of text models, and the settings of a conversation.
  stopAnswer: tap('cs:{turnId}', { turnId: id }),
  explainCost: tap('cc:{turnId}', { turnId: id }),
  /** Orders the answer as speech; `amount` is the price that the button shows. */
  readAnswer: tap('ca:{turnId}:{amount}', { turnId: id, amount }),
  retryAnswer: tap('cr:{turnId}', { turnId: id }),
  /** Asks the question after the price of the first answer was shown. */
  answerOffered: tap('cg', {}),
  /** Puts the words into the prompt of the card beside which they were typed. */
  changePrompt: tap('cg:{change}', { change: z.enum(['replace', 'add']) }),
  useDocument: tap('cd:{use}', { use: z.enum(['summary', 'ask', 'speech']) }),
  chatModels: tap('ch:models', {}),
  chatSettings: tap('ch:back', {}),
  personas: tap('ch:personas', {}),
  persona: tap('cp:{persona}', { persona: z.enum(personaNames) }),
  ownPersona: tap('ch:own', {}),
  removePersona: tap('ch:persona', {}),
  chatModel: tap('cm:{modelId}', { modelId: text(/^.{1,60}$/s) }),
  /**
   * A choice and its new value, like `length-short`; earlier versions wrote the value of `depth` alone. The data contains the state to set, so
   * that handling the same update twice does not switch back.
   */
  chatChoice: tap('cn:{choice}', { choice: z.enum(['usual', 'short', 'long', ...choiceValues]) }),
  chatMode: tap('ct:{to}:{mode}', { to: z.enum(['on', 'off']), mode: z.enum(modeNames) }),

  // Below a broadcast: a switch of broadcasts for the user who taps, and the command that its operator chose.
  setNews: tap('nw:{to}', { to: z.enum(['on', 'off']) }),

  runCommand: tap('nr:{broadcastId}', { broadcastId: id }),

  // The operators' desk.
  /** The period in words of `operator/periods.ts`; buttons of earlier versions name a number of days. */
  figures: tap('ad:f:{period}', {
    period: text(/^(?:today|week|month|1|7|30|20\d\d-\d\d(?:-\d\d(?:\.\.20\d\d-\d\d-\d\d)?)?)$/),
  }),
  actionLog: tap('ad:log', {}),
  findUser: tap('ad:find', {}),
  showUser: tap('ad:u:{userId}', { userId }),
  askCommand: tap('ad:q:{verb}:{userId}', { verb: z.enum(['grant', 'debit', 'ban', 'unban']), userId }),
  /** Asks for the words to send to a user. */
  writeTo: tap('ad:m:{userId}', { userId }),
  /** Executes or drops a command that an operator typed. */
  decideCommand: tap('ad:d:{decision}', { decision: z.enum(['yes', 'no']) }),
  userOrders: tap('ad:o:{userId}', { userId }),
  userPayments: tap('ad:p:{userId}', { userId }),
  refundOrder: tap('ad:r:{generationId}', { generationId: id }),
  refundPayment: tap('ad:y:{topUpId}', { topUpId: id }),
  broadcast: tap('ad:b:{broadcastId}', { broadcastId: id }),
  setAudience: tap('ad:ba:{broadcastId}:{audience}', { broadcastId: id, audience: z.enum(audiences) }),
  setSpeakers: tap('ad:bl:{broadcastId}:{spoken}', { broadcastId: id, spoken: z.enum(['any', ...locales]) }),
  askBroadcast: tap('ad:bq:{broadcastId}:{setting}', { broadcastId: id, setting: broadcastSetting }),
  stepBroadcast: tap('ad:b:{broadcastId}:{step}', { broadcastId: id, step: broadcastStep }),
  switches: tap('ad:switches', {}),
  setSwitch: tap('ad:s:{to}:{name}', { to: z.enum(['on', 'off']), name: text(/^.{1,50}$/s) }),
  /** The ids of text models are longer than `setSwitch` has room for. */
  sellText: tap('xn:{modelId}', { modelId: text(/^.{1,60}$/s) }),
  stopText: tap('xf:{modelId}', { modelId: text(/^.{1,60}$/s) }),
  reports: tap('ad:reports', {}),
  refundReport: tap('pr:{reportId}', { reportId: id }),
  declineReport: tap('pd:{reportId}', { reportId: id }),
  answerReport: tap('pa:{reportId}', { reportId: id }),
}
