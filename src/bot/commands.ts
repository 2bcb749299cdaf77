// The command menu, in both languages: what generates comes from the catalog, the rest is fixed.

import type { Api } from 'grammy'
import type { Catalog } from '../catalog/catalog.ts'
import type { Modality } from '../catalog/model.ts'
import { locales, type Say, type Texts } from '../texts.ts'

const commands: Readonly<Record<Modality, string>> = {
  image: 'image',
  video: 'video',
  audio: 'speech',
  object3d: 'model3d',
}

/** One command for each modality that has a model on offer. */
export function modalityCommands(catalog: Catalog): { command: string; modality: Modality }[] {
  const offered = new Set(catalog.offered().map((model) => model.modality))
  return [...offered].map((modality) => ({ command: commands[modality], modality }))
}

const fixed = ['balance', 'topup', 'settings', 'help', 'cancel']

export async function publishCommands(api: Api, catalog: Catalog, texts: Texts): Promise<void> {
  const names = [...modalityCommands(catalog).map(({ command }) => command), ...fixed]
  const described = (say: Say) =>
    names.map((command) => ({ command, description: say.plain(`command-${command}`) }))
  // English for everybody, and each language for its own.
  await api.setMyCommands(described(texts('en')))
  for (const locale of locales) await api.setMyCommands(described(texts(locale)), { language_code: locale })
}
