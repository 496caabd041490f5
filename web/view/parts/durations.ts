import { locale } from '../../model/state/language.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'

const words = {
  second: pieceTexts.slowMode.seconds,
  minute: pieceTexts.slowMode.minutes,
  hour: pieceTexts.slowMode.hours,
} as const
type Unit = keyof typeof words

function amountOf(seconds: number): [amount: number, unit: Unit] {
  if (seconds < 120) return [seconds, 'second']
  if (seconds < 7200 && seconds !== 3600) return [Math.ceil(seconds / 60), 'minute']
  return [Math.ceil(seconds / 3600), 'hour']
}

/** Returns a number of seconds as "1 minute", for a sentence: some languages have another case there. */
export function inWords(seconds: number): string {
  const [amount, unit] = amountOf(seconds)
  return words[unit](amount)
}

/** Returns a number of seconds as "1 minute", to stand alone. */
export function duration(seconds: number): string {
  const [amount, unit] = amountOf(seconds)
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)
}
