import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { described, id, text } from '../kernel/fields.ts'
import { keyScopes } from '../kernel/scopes.ts'
import { id as idShape } from '../shapes/values.ts'
import { issueToken } from './issue-token.ts'
import { proof, requireProof } from './key-page.ts'
import { requireKey } from './keys.ts'
import { requireSecondFactor } from './second-factor/required.ts'

const MAX_NAME_LENGTH = 100
const MAX_DAYS = 3650
const MAX_CHANNELS = 100

/** The name, scopes, end and channels of a limited key. */
export const tokenParams = {
  name: described(
    v.pipe(text, v.maxLength(MAX_NAME_LENGTH, `Names of keys have at most ${MAX_NAME_LENGTH} characters.`)),
    'What the key is for, as the list of keys shows it.',
  ),
  scopes: described(
    v.array(v.picklist(keyScopes)),
    'What the key permits. `write` includes `read`, `send` and `webhook`; `manage` includes `write`, and `provision_groups` includes `provision`.',
  ),
  expires_in_days: described(
    v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_DAYS))),
    'Days until the key stops working. By default it works until it is revoked, or for the most days that the organization allows.',
  ),
}

/**
 * POST /users/me/api_keys: creates a key that permits only some requests. The response is the only place that shows it. Everything
 * else returns 403 with the code INSUFFICIENT_SCOPE. The rights of the account limit it further.
 *
 * @throws BAD_REQUEST without a confirmation, and for an unknown channel
 * @throws AUTHENTICATION_FAILED for a wrong password
 */
export const createApiKey = action(
  {
    name: 'createApiKey',
    summary: 'Create an API key with limits',
    audit: { subject: 'key', made: ({ id }) => id },
    params: v.object({
      ...tokenParams,
      channels: described(
        v.nullish(v.pipe(v.array(id), v.maxLength(MAX_CHANNELS))),
        'IDs of the only channels that the key sends to. Only with the scopes `send` and `webhook`.',
      ),
      password: proof,
    }),
    result: v.strictObject({ id: idShape, api_key: v.string() }),
    secret: true,
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { password, ...given }) => {
    await requireProof(caller, password ?? '')
    return caller.write(async (tx) => {
      await requireKey(tx)
      await requireSecondFactor(tx, tx.user)
      return issueToken(tx, tx.user, given)
    })
  },
)
