// Judges settings that people saved under a name: they are kept until they are deleted, and only their owner can use them.

export interface Preset {
  readonly person: number
  /** Unique for each preset. */
  readonly name: string
  /** The saved number of pictures. */
  readonly count: number
  /** Whether the bot confirmed that it was saved. */
  readonly isSaved: boolean
  /** `perhaps` after a tap on Delete whose effect the person did not see. */
  readonly isDeleted: 'no' | 'perhaps' | 'yes'
}

/** A tap that applies a preset to a card of the person. */
export interface PresetUse {
  readonly person: number
  readonly preset: Preset
  /** Whether the preset had been deleted before the tap. */
  readonly isOver: boolean
  readonly tap: string
  /** The number of pictures on the card after the tap; undefined if the person did not see the change. */
  readonly shown: number | undefined
}

/** A preset in the tables of the app. */
export interface KeptPreset {
  readonly person: number
  readonly name: string
  readonly count: number | undefined
}

export interface PresetFacts {
  readonly presets: readonly Preset[]
  readonly uses: readonly PresetUse[]
  readonly kept: readonly KeptPreset[]
  /** The bot's answer to a tap of this person; undefined without an answer. */
  answerTo(person: number, tap: string): string | undefined
}

export interface PresetFault {
  readonly person: number
  readonly fact: string
}

export const faultsOfPresets = (facts: PresetFacts): readonly PresetFault[] => [
  ...neverSaved(facts.presets),
  ...facts.presets.flatMap((preset) => unlikeTables(preset, facts.kept)),
  ...facts.uses.flatMap((use) => wrongUse(use, facts)),
]

/** A single name may be taken for a question, since the bot may have closed its request for it in the meantime. So many in a row may not. */
const manyNames = 6

function neverSaved(presets: readonly Preset[]): PresetFault[] {
  const [first] = presets
  const isSuspect = presets.length >= manyNames && presets.every(({ isSaved }) => !isSaved)
  return first && isSuspect
    ? [{ person: first.person, fact: `none of ${presets.length} presets was saved` }]
    : []
}

function unlikeTables({ person, name, ...preset }: Preset, all: readonly KeptPreset[]): PresetFault[] {
  const kept = all.filter((one) => one.person === person && one.name === name)
  const fault = (fact: string) => [{ person, fact: `preset ${name} ${fact}` }]
  if (preset.isDeleted === 'yes') return kept.length === 0 ? [] : fault('is still there')
  const [first, ...others] = kept
  if (others.length > 0) return fault(`is there ${kept.length} times`)
  if (first && first.count !== preset.count)
    return fault(`has ${first.count} pictures instead of ${preset.count}`)
  return preset.isSaved && preset.isDeleted === 'no' && !first ? fault('is not there') : []
}

function wrongUse(
  { person, preset, isOver, tap, shown }: PresetUse,
  { answerTo }: PresetFacts,
): PresetFault[] {
  const fault = (fact: string) => [{ person, fact: `preset ${preset.name} ${fact}` }]
  const isTaken = answerTo(person, tap) === 'Done: the settings are on the card'
  if (person !== preset.person) return isTaken ? fault(`of ${preset.person} was used`) : []
  if (isOver) return isTaken ? fault('was used after it was deleted') : []
  const isRight = shown === undefined || shown === preset.count
  return isRight ? [] : fault(`put ${shown} pictures onto the card instead of ${preset.count}`)
}
