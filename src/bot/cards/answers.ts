// Answers of the user in a draft: what a message or a tap answers, how it is written, and the options that come from outside the catalog.

import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import {
  type Answer,
  type Answers,
  type Field,
  isUserField,
  type MediaField,
  type Option,
  sameInAll,
} from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import type { Model } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import {
  answersIn,
  attach,
  lengthOfSound,
  type Read,
  type Refusal,
  readExact,
  readOption,
  readWithRoom,
  refuse,
  spoken,
  type ToggleChange,
} from '../../form/answer.ts'
import { fitAnswers, keepPrompt, promptOfDraft, withPrompt, withSettings } from '../../form/fit.ts'
import { changeDraft, type Draft, findDraft } from '../../orders/drafts.ts'
import { videosOf } from '../../orders/history.ts'
import { stylesOf } from '../../orders/styles.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { droppedHtml, refusalText, roomText, settingsText, wantedText } from './answer-text.ts'
import { attachmentIn, frameWordsIn, placedIn, readTextFile } from './attachment.ts'
import { type Given, givenIn } from './links.ts'
import { withValues } from './match.ts'
import { modelOf } from './switch-model.ts'
import { offerTyped } from './unfit.ts'

/** An answer as the user gave it. */
export type Input = { readonly typed: string } | { readonly tapped: string } | Given

/** @returns undefined when the message contains nothing that can answer this field */
export async function inputIn(
  deps: BotDeps,
  field: Field,
  message: Message,
): Promise<Exclude<Input, { tapped: string }> | undefined> {
  const { files } = deps
  if (field.kind === 'media') {
    const sent = await attachmentIn(files, message)
    if (sent) return { sent, caption: message.caption ?? '' }
    const given = await givenIn(deps, field, message)
    return given ?? (saysWords(deps, field, message.text) ? { typed: message.text } : undefined)
  }
  const typed = message.text ?? (await readTextFile(files, message.document))
  return typed === undefined ? undefined : { typed }
}

/** Whether a speech model on sale turns the text into the sound that the field takes. */
const saysWords = ({ catalog }: BotDeps, field: MediaField, text = ''): text is string =>
  field.speaks === true && visible(text) !== '' && catalog.offered('speech').length > 0

export type DraftAnswered =
  | {
      readonly ok: true
      readonly draft: Draft
      readonly dropped: readonly Field[]
      /** Numbers that are now at their lower limit. */
      readonly lowered: readonly Field[]
      readonly room?: ToggleChange | undefined
    }
  | { readonly ok: false; readonly reason: 'closed' }
  | { readonly ok: false; readonly reason: 'refused'; readonly refusal: Refusal }

/**
 * Writes one answer into the draft. Other answers that no longer fit it are dropped or reduced.
 * @param also answers that are written with it
 */
export async function answerDraft(
  deps: BotDeps,
  draftId: string,
  userId: bigint,
  fieldName: string,
  input: Input,
  also: Answers = {},
): Promise<DraftAnswered> {
  const found = await findDraft(deps.db, draftId, userId)
  if (found?.state !== 'open') return { ok: false, reason: 'closed' }
  const draft = { ...found, answers: { ...found.answers, ...also } }
  const model = modelOf(deps, draft)
  const field = model.fields.find((one) => one.name === fieldName && isUserField(one))
  if (!field) return { ok: false, reason: 'closed' }
  const read = await readInput(deps, draft, model, field, input)
  if (read && !read.ok) return { ok: false, reason: 'refused', refusal: read.refusal }
  const answers = read
    ? { ...also, ...answersIn(field, read), ...lengthOfSound(model, field, read.answer) }
    : also
  const written = await writeAnswer(deps, draft, model, field, answers)
  return written.ok ? { ...written, room: read?.room } : written
}

/** Parses an input. An undefined answer removes the present one. */
async function readInput(
  deps: BotDeps,
  draft: Draft,
  model: Model,
  field: Field,
  input: Input,
): Promise<(Read & { readonly room?: ToggleChange }) | undefined> {
  const current = draft.answers[field.name]
  if ('unread' in input) return refuse({ reason: input.unread })
  if (field.kind === 'media') return readFile(deps, field, current, input)
  if ('sent' in input) return refuse({ reason: 'empty' })
  if ('tapped' in input && field.kind === 'text') {
    return readOption(field, await optionsOf(deps, draft.userId, model, field), current, input.tapped)
  }
  // A typed task id could be that of another user's video.
  if (field.kind === 'text' && field.source === 'videos') return refuse({ reason: 'not-an-option' })
  const others = Object.fromEntries(Object.entries(draft.answers).filter(([name]) => name !== field.name))
  if ('typed' in input && field.kind === 'text') {
    const offers = await optionsOf(deps, draft.userId, model, field)
    return readWithRoom(model, field, others, withValues(deps.texts, field, offers, input.typed))
  }
  if ('typed' in input) return readWithRoom(model, field, others, input.typed)
  if (field.kind === 'number') return readExact(model, field, others, Number(input.tapped))
  return readWithRoom(model, field, others, input.tapped)
}

/** Takes a file, or words that a speech model says. */
function readFile(
  deps: BotDeps,
  field: MediaField,
  current: Answer | undefined,
  input: Exclude<Input, { unread: unknown }>,
): Read {
  if ('tapped' in input) return refuse({ reason: 'not-a-file' })
  const { sent, caption } =
    'sent' in input ? input : { sent: spoken(deps.ids.next(), visible(input.typed)), caption: '' }
  if (!sent.given && field.via === 'link' && !deps.media.link) return refuse({ reason: 'needs-link' })
  return attach(field, current, sent, caption, frameWordsIn(deps.texts))
}

/** @param answers the answer and those that are written with it; without the answer the field has its default */
export async function writeAnswer(
  { db, clock }: BotDeps,
  draft: Draft,
  model: Model,
  field: Field,
  answers: Answers,
): Promise<DraftAnswered> {
  const wantedIn = ({ answers: { [field.name]: _, ...others } }: Draft): Answers => ({
    ...others,
    ...answers,
  })
  const fit = (current: Draft) => fitAnswers(model, wantedIn(current), field.name)
  const changeOf = (current: Draft) =>
    field.audience === 'asked'
      ? { ...withPrompt(model, fit(current), null), writtenPrompt: null }
      : keepPrompt(model, fit(current), promptOfDraft(model, current), current.writtenPrompt)
  const changed = await changeDraft(db, draft, changeOf, clock.now())
  if (!changed) return { ok: false, reason: 'closed' }
  const [wanted, fitted] = [wantedIn(draft), fit(draft)]
  const isKept = ({ audience }: Field) => audience === 'asked' && changed.unfitPrompt !== null
  const others = model.fields.filter((one) => wanted[one.name] !== fitted[one.name] && !isKept(one))
  const isLowered = ({ name }: Field) => fitted[name] !== undefined
  const dropped = others.filter((one) => !isLowered(one))
  return { ok: true, draft: changed, dropped, lowered: others.filter(isLowered) }
}

type Rows = InlineKeyboardMarkup['inline_keyboard']

/** What a message has done to the draft, in words for its user. JSON-safe without the draft. */
type Told =
  | { readonly is: 'closed' }
  /** `offer` has the rows of a button that rewrites the refused text. */
  | { readonly is: 'refused'; readonly html: string; readonly offer: Rows; readonly refusal?: Refusal }
  | { readonly is: 'written'; readonly draft: Draft; readonly remarks: readonly string[] }

/** @param input what the message says about the field; undefined when it says nothing */
export async function answerByMessage(
  deps: BotDeps,
  draft: Draft,
  field: Field,
  message: Message,
  input: Input | undefined,
  say: Say,
  also: Answers = {},
): Promise<Told> {
  if (!input) {
    const kept = field.audience === 'asked' ? await keepFile(deps, draft, message, say) : undefined
    return { is: 'refused', html: kept ?? wantedText(say, field), offer: [] }
  }
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, input, also)
  if (answered.ok) return { is: 'written', draft: answered.draft, remarks: remarksOn(say, answered) }
  if (answered.reason === 'closed') return { is: 'closed' }
  const { refusal } = answered
  const offer = 'typed' in input ? await offerTyped(deps, draft, field.name, message, input.typed, say) : []
  return { is: 'refused', html: refusalText(say, refusal, field), offer, refusal }
}

/** What else an answer has changed. */
export function remarksOn(
  say: Say,
  { room, draft, ...lost }: Extract<DraftAnswered, { ok: true }>,
): string[] {
  const now = settingsText(say, lost.lowered, draft.answers)
  return [
    room ? roomText(say, room) : '',
    droppedHtml(say, lost.dropped),
    now && say.html('answers-lowered', { settings: now }),
  ].filter((html) => html !== '')
}

/** How many files a field has and takes; undefined when it takes no more. */
export function roomFor({ answers }: Draft, field: Field): { count: number; max: number } | undefined {
  const files = answers[field.name]
  if (field.kind !== 'media' || !Array.isArray(files) || files.length >= field.max) return undefined
  return { count: files.length, max: field.max }
}

/** Replaces all settings; the prompt and the files stay. */
export function takeSettings(
  { db, clock }: BotDeps,
  draft: Draft,
  model: Model,
  settings: Answers,
): Promise<Draft | undefined> {
  const changeOf = (current: Draft) => {
    const answers = withSettings(model, current.answers, settings)
    return keepPrompt(model, answers, promptOfDraft(model, current), current.writtenPrompt)
  }
  return changeDraft(db, draft, changeOf, clock.now())
}

// The options of text fields that come from outside the catalog: the operator's voices, the user's styles and videos, and the
// concepts that the gateway lists.

type Deps = Pick<BotDeps, 'db' | 'catalog' | 'concepts' | 'results'>
type TextField = Extract<Field, { kind: 'text' }>

const mostStyles = 20
const mostVideos = 8
/** A keyboard has at most 100 buttons. The other concepts can be typed. */
const mostConcepts = 60

export async function offersFor(
  deps: Deps,
  { userId }: Draft,
  model: Model,
): Promise<Record<string, readonly Option[]>> {
  const texts = model.fields.filter(
    (field): field is TextField =>
      field.kind === 'text' && (field.source !== undefined || field.suggestions !== undefined),
  )
  const offers = texts.map(
    async (field) => [field.name, await optionsOf(deps, userId, model, field)] as const,
  )
  return Object.fromEntries(await Promise.all(offers))
}

export async function optionsOf(
  deps: Deps,
  userId: bigint,
  model: Model,
  { source, suggestions: own = [] }: TextField,
): Promise<readonly Option[]> {
  if (source === undefined) return own
  switch (source) {
    case 'voices':
      return deps.catalog.voices(model)
    case 'styles':
      return (await stylesOf(deps.db, userId, mostStyles)).map(({ id, name }) => named(id, name))
    case 'concepts':
      return withNames(
        own,
        (await deps.concepts()).map(({ key, name = key }) => named(key, name)),
      )
    case 'videos':
      return videoOptions(deps, userId, model)
  }
}

/** The operator's options, and the others. */
const withNames = (own: readonly Option[], listed: readonly Option[]): readonly Option[] =>
  [...own, ...listed.filter(({ value }) => !own.some((one) => one.value === value))].slice(0, mostConcepts)

const named = (value: string, name: string): Option => ({ value, label: sameInAll(name), set: {} })

/** The videos that the gateway made for this user with this model, the newest first. */
async function videoOptions({ db, results }: Deps, userId: bigint, model: Model): Promise<Option[]> {
  const videos = await videosOf(db, userId, { modelId: model.id }, results.continued, mostVideos)
  return videos.map(({ continuedBy, generation: { id, request } }) =>
    named(continuedBy, promptInRequest(request, 24) ?? id),
  )
}

/**
 * Puts a file that was sent in place of the prompt into the first field that takes it.
 * @returns HTML that says so; undefined when no field takes it
 */
async function keepFile(
  deps: BotDeps,
  draft: Draft,
  message: Message,
  say: Say,
): Promise<string | undefined> {
  const model = modelOf(deps, draft)
  const sent = await attachmentIn(deps.files, message)
  const placed = sent && placedIn(deps, model, [sent])
  const field = placed?.ok ? model.fields.find(({ name }) => placed.answers[name] !== undefined) : undefined
  if (!sent || !field) return undefined
  const kept = await answerDraft(deps, draft.id, draft.userId, field.name, { sent, caption: '' })
  return kept.ok ? say.html('file-kept', { label: say.label(field.label) }) : undefined
}
