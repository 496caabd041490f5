import { pieceTexts } from '../../texts/piece-texts.ts'

/** Returns a number of seconds as "1 minute". */
export function inWords(seconds: number): string {
  if (seconds < 120) return pieceTexts.slowMode.seconds(seconds)
  if (seconds < 7200 && seconds !== 3600) return pieceTexts.slowMode.minutes(Math.ceil(seconds / 60))
  return pieceTexts.slowMode.hours(Math.ceil(seconds / 3600))
}
