import type { Narrow, Term } from '../../../src/client/index.ts'
import { operators } from './search.ts'

/** Why a search cannot be carried out, as a sentence that helps; undefined where it can. */
export const searchProblem = (narrow: Narrow): string | undefined =>
  narrow.map(problemOf).find((sentence) => sentence !== undefined)

function problemOf({ operator, operand }: Term): string | undefined {
  const about = operators.find((one) => one.operator === operator)
  const text = Array.isArray(operand) ? operand.find((one) => typeof one === 'string') : operand
  if (operand === '' || text === '')
    return `After “${about?.shown ?? operator}:” something is missing, such as ${about?.example ?? 'a word'}.`
  if (about?.operands) {
    const known = Object.keys(about.operands)
    return known.includes(String(operand)) || olderWords.has(String(operand))
      ? undefined
      : `“${about.shown}:” takes ${listed(known)}, not “${operand}”.`
  }
  if (typeof text !== 'string') return undefined
  if (operator === 'channel')
    return `There is no stream “${text}” that you can read. As you type its name, streams are suggested.`
  if (people.has(operator)) return `Nobody here is called “${text}”. As you type a name, people are suggested.`
  if (numbers.has(operator) && !/^\d+$/.test(text)) return `“${operator}:” takes the number of a message.`
  return undefined
}

const people = new Set(['sender', 'dm', 'dm-including', 'group-pm-with'])
/** Understood, and no longer suggested. */
const olderWords = new Set(['private', 'collapsed'])
const numbers = new Set(['id', 'near', 'with'])

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
