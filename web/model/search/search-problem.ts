import type { Narrow, Term } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { listOf } from '../state/language.ts'
import { operators } from './operators.ts'

/** Returns why a search isn't possible, as a helpful sentence; undefined if it is. */
export const searchProblem = (narrow: Narrow): string | undefined =>
  narrow.map(problemOf).find((sentence) => sentence !== undefined)

function problemOf({ operator, operand }: Term): string | undefined {
  const about = operators.find((one) => one.operator === operator)
  const text = Array.isArray(operand) ? operand.find((one) => typeof one === 'string') : operand
  if (operand === '' || text === '')
    return pieceTexts.search.missingOperand(about?.shown ?? operator, about?.example ?? pieceTexts.search.aWord)
  if (about?.operands) {
    const known = Object.keys(about.operands)
    return known.includes(String(operand)) || olderWords.has(String(operand))
      ? undefined
      : pieceTexts.search.wrongOperand(about.shown, listOf(known, { type: 'disjunction' }), String(operand))
  }
  if (typeof text !== 'string') return undefined
  if (operator === 'channel') return pieceTexts.search.noSuchChannel(text)
  if (people.has(operator)) return pieceTexts.search.noSuchPerson(text)
  if (numbers.has(operator) && !/^\d+$/.test(text)) return pieceTexts.search.needsMessageId(operator)
  return undefined
}

const people = new Set(['sender', 'mentions', 'dm', 'dm-including', 'group-pm-with'])
/** Understood, and no longer suggested. */
const olderWords = new Set(['private', 'collapsed'])
const numbers = new Set(['id', 'near', 'with'])
