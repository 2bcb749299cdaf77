// The operations with fixed paths: texts, styles and the list of concepts.

import { json } from './answer.ts'
import { conceptList } from './concepts.ts'
import type { Operation, Operations } from './routes.ts'
import type { Styles } from './styles.ts'
import { type Texts, textPaths } from './text/index.ts'

interface Deps {
  readonly texts: Texts
  readonly styles: Styles
  readonly save: () => Promise<void>
}

export function createOperations({ texts, styles, save }: Deps): Operations['at'] {
  const createStyle: Operation = {
    name: 'styles',
    async answer({ body }) {
      const created = styles.create(body)
      await save()
      return json(200, created)
    },
  }
  const listConcepts: Operation = { name: 'concepts', answer: async () => json(200, conceptList()) }
  const fixed: Readonly<Record<string, Operation>> = {
    'POST /v1/styles': createStyle,
    'GET /v1/generations/concepts/list': listConcepts,
  }
  return (method, path) => {
    const name = method === 'POST' ? textPaths[path] : undefined
    return name ? { name, answer: (call) => texts.answer(name, call) } : fixed[`${method} ${path}`]
  }
}
