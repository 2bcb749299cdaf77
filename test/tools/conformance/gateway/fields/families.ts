// The families of text models that the document distinguishes, and the operations of each.

export type Family = 'gpt' | 'grok' | 'gemini' | 'assistant' | 'deepseek' | 'mistral' | 'minimax'

export type Operation = 'chat' | 'messages' | 'responses' | 'native'

/** From "Chat and text operations" and "Routing facts". */
export const operationsOf: Readonly<Record<Family, readonly Operation[]>> = {
  gpt: ['chat', 'responses'],
  grok: ['chat', 'responses'],
  gemini: ['chat', 'native'],
  assistant: ['chat', 'messages'],
  deepseek: ['chat'],
  mistral: ['chat'],
  minimax: ['chat'],
}
