// Families of text models that the document tells apart, and which operations each has.

export type Family = 'gpt' | 'grok' | 'gemini' | 'assistant' | 'deepseek' | 'mistral' | 'minimax'

export type Operation = 'chat' | 'messages' | 'responses' | 'native'

/** "Chat and text operations" and "Routing facts". */
export const operationsOf: Readonly<Record<Family, readonly Operation[]>> = {
  gpt: ['chat', 'responses'],
  grok: ['chat', 'responses'],
  gemini: ['chat', 'native'],
  assistant: ['chat', 'messages'],
  deepseek: ['chat'],
  mistral: ['chat'],
  minimax: ['chat'],
}
