import { ChatError, type OutboxEntry } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { reasonOf } from '../parts/notices.tsx'
import '../parts/problem-words.ts'

/** Returns why a message wasn't sent, as a sentence in the page's language. */
export const whyNotSent = ({ error = '', code = 'BAD_REQUEST', error_data }: OutboxEntry): string =>
  code === 'UNCONFIRMED' ? pieceTexts.refusals.unconfirmed : reasonOf(new ChatError(code, error, error_data))
