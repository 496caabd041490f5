import { ChatError, type ErrorKind } from '../../kernel/errors.ts'

type ScimType = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'mutability' | 'uniqueness'

/** An error of SCIM. The shell sends it in the form of RFC 7644. */
export const scimError = (scimType: ScimType, detail: string): ChatError =>
  new ChatError('BAD_REQUEST', detail, { scimType }, scimType === 'uniqueness' ? 'conflict' : undefined)

/** An error without a type of SCIM's. */
export const scimRefusal = (kind: ErrorKind, detail: string): ChatError =>
  new ChatError('BAD_REQUEST', detail, {}, kind)
