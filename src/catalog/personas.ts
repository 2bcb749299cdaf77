// The ready-made personas of conversations. Their names and texts are in the locale files.

export const personaNames = ['translator', 'editor', 'teacher', 'programmer', 'cook', 'friend'] as const
export type PersonaName = (typeof personaNames)[number]
