/** Every error code of the API, with its kind of failure. The HTTP shell maps kinds to statuses. */
export const errorCodes = {
  BAD_REQUEST: 'request',
  REQUEST_VARIABLE_MISSING: 'request',
  REQUEST_CONFUSING_VAR: 'request',
  INVALID_JSON: 'request',
  BAD_NARROW: 'request',
  BAD_EVENT_QUEUE_ID: 'request',
  STREAM_DOES_NOT_EXIST: 'request',
  UNAUTHORIZED_PRINCIPAL: 'request',
  REACTION_ALREADY_EXISTS: 'request',
  REACTION_DOES_NOT_EXIST: 'request',
  BAD_IMAGE: 'request',
  REALM_UPLOAD_QUOTA: 'request',
  EXPECTATION_MISMATCH: 'request',
  SYSTEM_GROUP_REQUIRED: 'request',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 'request',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'request',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'request',
  CANNOT_DEACTIVATE_LAST_USER: 'request',
  CANNOT_DEACTIVATE_GROUP_IN_USE: 'request',
  CANNOT_ADMINISTER_CHANNEL: 'request',
  BAD_PASSWORD_LINK: 'request',
  BAD_EMAIL_LINK: 'request',
  BAD_SET_UP_LINK: 'request',
  SIGN_ON_FAILED: 'request',
  INVITATION_FAILED: 'request',
  INVALID_PUSH_DEVICE_TOKEN: 'request',
  PUSH_SERVICE_NOT_CONFIGURED: 'request',
  MAIL_NOT_CONFIGURED: 'request',
  NO_ACTIVE_PUSH_DEVICE: 'request',
  BAD_INVITATION: 'request',
  CHANNEL_ALREADY_EXISTS: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  UNAUTHORIZED: 'credentials',
  INVALID_API_KEY: 'credentials',
  AUTHENTICATION_FAILED: 'credentials',
  USER_DEACTIVATED: 'credentials',
  PASSWORD_AUTH_DISABLED: 'credentials',
  REALM_DEACTIVATED: 'credentials',
  RATE_LIMIT_HIT: 'rate',
  TOO_LARGE: 'size',
  REQUEST_TIMEOUT: 'slow',
  HEADERS_TOO_LARGE: 'headers',
  EXPECTATION_FAILED: 'expectation',
  UNREADABLE_BODY: 'media',
  NOT_FOUND: 'path',
  ADMIN_ACTION_REQUIRED: 'forbidden',
  SECOND_FACTOR_REQUIRED: 'forbidden',
  INSUFFICIENT_SCOPE: 'forbidden',
  SILENCED: 'forbidden',
  TERMS_NOT_ACCEPTED: 'forbidden',
  SLOW_MODE: 'request',
  MESSAGE_HELD: 'request',
  FAILED_TO_CONNECT_BOUNCER: 'gateway',
  INTERNAL_SERVER_ERROR_ON_BOUNCER: 'gateway',
  RANGE_NOT_SATISFIABLE: 'range',
  METHOD_NOT_ALLOWED: 'method',
  STORAGE_FULL: 'storage',
  SERVICE_UNAVAILABLE: 'unavailable',
  INTERNAL_ERROR: 'bug',
} as const

export type ErrorCode = keyof typeof errorCodes
/** No code is always `precondition` (412), which has the codes of other errors. */
export type ErrorKind = (typeof errorCodes)[ErrorCode] | 'precondition'

/** A rejected request: a code of the API, a sentence, and the fields that are sent with it. */
export class ChatError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>
  /** The kind of failure: its code's, unless the API answers this one with another status. */
  readonly kind: ErrorKind
  constructor(code: ErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}, kind?: ErrorKind) {
    super(message)
    this.name = 'ChatError'
    this.code = code
    this.data = data
    this.kind = kind ?? errorCodes[code]
  }
}

/**
 * Returns whether an error is a rejection by the API rather than a bug.
 * @example
 * await sendMessage(ann, { type: 'stream', to: 'nowhere', topic: 'hello', content: 'Hello' }).catch((error) => {
 *   if (!isChatError(error)) throw error
 *   console.log(error.code, error.message)
 * })
 */
export const isChatError = (error: unknown): error is ChatError => error instanceof ChatError

/** Most errors of the specification have this code. */
export const badRequest = (message: string): ChatError => new ChatError('BAD_REQUEST', message)

/** A rejected value: `errors` has the sentence by the name of the parameter, so that forms can show it there. */
export const invalidField = (field: string, message: string): ChatError =>
  new ChatError('BAD_REQUEST', message, { errors: { [field]: [message] } })

/** An object of the caller's own that doesn't exist: 404, with the general code. */
export const absent = (message: string): ChatError => new ChatError('BAD_REQUEST', message, {}, 'path')

/** An object that exists but that the caller may not access: 403, with the general code. */
export const forbidden = (message: string): ChatError => new ChatError('BAD_REQUEST', message, {}, 'forbidden')

/** Nothing at this address, or nothing that this reader may access. */
export const unknownPath = (): ChatError => new ChatError('NOT_FOUND', 'Unknown path')

/** The same error for missing and hidden messages (specification, Errors). */
export const invalidMessage = (): ChatError => badRequest('Invalid message(s)')
export const invalidStream = (): ChatError => badRequest('Invalid stream ID')
export const notPermitted = (message = 'Insufficient permission'): ChatError => new ChatError('BAD_REQUEST', message)
/** For actions that require a role. */
const mustBe = (role: string): ChatError => new ChatError('UNAUTHORIZED_PRINCIPAL', `Must be an organization ${role}`)
export const mustBeModerator = (): ChatError => mustBe('moderator')
export const mustBeAdministrator = (): ChatError => mustBe('administrator')
export const mustBeOwner = (): ChatError => mustBe('owner')
export const organizationDeactivated = (): ChatError =>
  new ChatError('REALM_DEACTIVATED', 'This organization has been deactivated')
/** Neither a key nor a session. */
export const notLoggedIn = (): ChatError =>
  new ChatError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
export const accountDeactivated = (): ChatError => new ChatError('USER_DEACTIVATED', 'Account is deactivated')
export const signInExpired = (): ChatError =>
  new ChatError('AUTHENTICATION_FAILED', 'This sign-in has expired. Start again')
