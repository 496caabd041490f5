import { pageTexts } from '../../../texts/page-texts.ts'
import { pieceTexts } from '../../../texts/piece-texts.ts'
import { asSaid } from '../../parts/general-words.ts'

const { refusals, problems } = pieceTexts

const known: readonly (readonly [RegExp, string])[] = [
  [/^Unrecognized file|^This is not an export from/, pageTexts.imports.notAnExport],
  [/^This export was already imported/, pageTexts.imports.importedBefore],
  [/^Import \d+ can't be undone/, pageTexts.imports.cantUndo],
  [/^Import \d+ was already undone|^Import \d+ does not exist/, refusals.alreadyDone],
  [/^Import \d+ of .* is not finished|^Another process is running/, refusals.busy],
  [/^Not enough disk space/, problems.STORAGE_FULL],
  [/^The server failed to do this/, problems.INTERNAL_ERROR],
]

/** Returns why an import failed. English has the server's sentence, which names the file and the line. */
export const importProblem = (sentence: string): string =>
  asSaid(sentence, () => known.find(([pattern]) => pattern.test(sentence))?.[1])
