import { isolating } from '../isolating.ts'
import { first as texts } from './first.ts'

export const first = isolating(texts)
export const rest = async () => {
  const [{ pages }, { pieces }] = await Promise.all([import('./pages.ts'), import('./pieces.ts')])
  return [{ pages: isolating(pages) }, { pieces: isolating(pieces) }] as const
}
