import type { Narrow, Term } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { operators } from './search.ts'

/** Returns why a search isn't possible, as a helpful sentence; undefined if it is. */
export const searchProblem = (narrow: Narrow): string | undefined =>
  narrow.map(problemOf).find((sentence) => sentence !== undefined)

function problemOf({ operator, operand }: Term): string | undefined {
  const about = operators.find((one) => one.operator === operator)
  const text = Array.isArray(operand) ? operand.find((one) => typeof one === 'string') : operand
  if (operand === '' || text === '')
    return texts.search.missingOperand(about?.shown ?? operator, about?.example ?? texts.search.aWord)
  if (about?.operands) {
    const known = Object.keys(about.operands)
    return known.includes(String(operand)) || olderWords.has(String(operand))
      ? undefined
      : texts.search.wrongOperand(about.shown, listed(known), String(operand))
  }
  if (typeof text !== 'string') return undefined
  if (operator === 'channel') return texts.search.noSuchChannel(text)
  if (people.has(operator)) return texts.search.noSuchPerson(text)
  if (numbers.has(operator) && !/^\d+$/.test(text)) return texts.search.needsMessageId(operator)
  return undefined
}

const people = new Set(['sender', 'dm', 'dm-including', 'group-pm-with'])
/** Understood, and no longer suggested. */
const olderWords = new Set(['private', 'collapsed'])
const numbers = new Set(['id', 'near', 'with'])

const listed = (words: readonly string[]): string => texts.search.or(words.slice(0, -1).join(', '), words.at(-1)!)
