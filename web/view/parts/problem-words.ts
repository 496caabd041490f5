import type { ChatError, ErrorCode } from '../../../src/client/index.ts'
import { wording } from '../../model/state/wording.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'

const { signIn } = pieceTexts
const { tooLargeFor, ...problems } = pieceTexts.problems

/** The server's own sentence is shown: it says more, or no one meets this error in the page. */
const asSent = undefined

/** What the page says instead of the server's sentence, which is English. A new code doesn't compile without a line. */
const byCode: Readonly<Record<ErrorCode, string | undefined>> = {
  ...problems,
  STREAM_DOES_NOT_EXIST: texts.compose.noSuchChannel,
  ADMIN_ACTION_REQUIRED: problems.UNAUTHORIZED_PRINCIPAL,
  INVALID_API_KEY: problems.UNAUTHORIZED,
  USER_DEACTIVATED: signIn.deactivated,
  REALM_DEACTIVATED: signIn.closed,
  BAD_REQUEST: asSent,
  AUTHENTICATION_FAILED: asSent,
  REQUEST_VARIABLE_MISSING: asSent,
  REQUEST_CONFUSING_VAR: asSent,
  INVALID_JSON: asSent,
  BAD_NARROW: asSent,
  BAD_EVENT_QUEUE_ID: asSent,
  EXPECTATION_MISMATCH: asSent,
  CANNOT_DEACTIVATE_GROUP_IN_USE: asSent,
  BAD_PASSWORD_LINK: asSent,
  BAD_EMAIL_LINK: asSent,
  BAD_SET_UP_LINK: asSent,
  SIGN_ON_FAILED: asSent,
  INVITATION_FAILED: asSent,
  INVALID_PUSH_DEVICE_TOKEN: asSent,
  PUSH_SERVICE_NOT_CONFIGURED: asSent,
  NO_ACTIVE_PUSH_DEVICE: asSent,
  BAD_INVITATION: asSent,
  IDEMPOTENCY_KEY_REUSED: asSent,
  HEADERS_TOO_LARGE: asSent,
  EXPECTATION_FAILED: asSent,
  UNREADABLE_BODY: asSent,
  NOT_FOUND: asSent,
  SECOND_FACTOR_REQUIRED: asSent,
  INSUFFICIENT_SCOPE: asSent,
  SILENCED: asSent,
  SLOW_MODE: asSent,
  TERMS_NOT_ACCEPTED: asSent,
  MESSAGE_HELD: asSent,
  FAILED_TO_CONNECT_BOUNCER: asSent,
  INTERNAL_SERVER_ERROR_ON_BOUNCER: asSent,
  RANGE_NOT_SATISFIABLE: asSent,
  METHOD_NOT_ALLOWED: asSent,
}

/** Sentences of the general code that people meet, as the Zulip API has them. */
const bySentence: readonly (readonly [RegExp, string])[] = [
  [/^Invalid message\(s\)$/, texts.problems.messageGone],
  [/^Invalid stream ID$/, texts.compose.noSuchChannel],
  [/^Insufficient permission$/, problems.UNAUTHORIZED_PRINCIPAL],
]

wording.of = ({ code, message }: ChatError) => {
  const limit = code === 'TOO_LARGE' && /\d+ \wi?B\b/.exec(message)?.[0]
  return limit ? tooLargeFor(limit) : (byCode[code] ?? bySentence.find(([sentence]) => sentence.test(message))?.[1])
}
