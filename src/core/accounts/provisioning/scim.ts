import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { type ScimAnswer, scimAnswer } from '../../kernel/answers.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { described, id, integer, text } from '../../kernel/fields.ts'
import { parseDocument, readPatch, readUser } from './scim-document.ts'
import { scimRefusal } from './scim-error.ts'
import { readFilter } from './scim-filter.ts'
import { changeByScim, createByScim, type ScimUser, scimPage, scimUser } from './scim-users.ts'
import { requireVersion } from './scim-version.ts'
import { listOf, resourceTypes, schemas, scimView, serviceProviderConfig, userVersion } from './scim-view.ts'

const MAX_PAGE = 200
const shared = { credentials: 'bearer', answers: 'scim', role: 'owner', result: scimAnswer } as const
const body = { types: ['application/scim+json', 'application/json'], param: 'document' }
const user_id = described(id, 'ID of the user.')
const document = described(text, 'The body, in the form of RFC 7643 or RFC 7644.')
const if_match = described(v.nullish(text), 'Its version, or several: otherwise nothing is changed.')
const headers = { if_match: 'if-match' }

const shown = async (caller: Caller, id: number, created = false): Promise<ScimAnswer> => {
  const found = scimView(await scimUser(caller, id), caller.origin)
  return { created, document: found, location: found.meta.location }
}

/** Returns a user in the version that a request demands. Throws 404 and 412. */
async function matching(tx: Tx, user_id: number, if_match: string | null | undefined): Promise<ScimUser> {
  const found = await scimUser(tx, user_id)
  requireVersion(userVersion(found), if_match)
  return found
}

/** GET /scim/v2/{about}: describes what the server can do: ServiceProviderConfig, ResourceTypes or Schemas. */
export const describeScim = action(
  {
    ...shared,
    name: 'describeScim',
    summary: 'Describe provisioning with SCIM',
    params: v.object({ about: described(text, '`ServiceProviderConfig`, `ResourceTypes` or `Schemas`.') }),
  },
  async (_, { about }): Promise<ScimAnswer> => {
    if (about === 'ServiceProviderConfig') return { document: serviceProviderConfig }
    if (about === 'ResourceTypes') return { document: listOf(resourceTypes) }
    if (about === 'Schemas') return { document: listOf(schemas) }
    throw scimRefusal('path', 'Only users and groups can be provisioned here')
  },
)

/** GET /scim/v2/Users: lists people, for an identity provider. */
export const listScimUsers = action(
  {
    ...shared,
    name: 'listScimUsers',
    summary: 'List users by SCIM',
    params: v.object({
      filter: described(
        v.nullish(text),
        'Comparisons with `eq`, joined by `and`, such as `userName eq "a@example.com"`.',
      ),
      startIndex: described(v.nullish(integer), 'Number of the first user; 1 by default.'),
      count: described(v.nullish(integer), 'Most users to return, up to 200; 100 by default.'),
    }),
  },
  async (caller, { filter, startIndex, count }): Promise<ScimAnswer> => {
    const first = Math.max(1, startIndex ?? 1)
    const most = Math.min(MAX_PAGE, Math.max(0, count ?? 100))
    const { page, total } = await scimPage(caller, readFilter(filter), first - 1, most)
    const shown = page.map((one) => scimView(one, caller.origin))
    return { document: listOf(shown, total, first) }
  },
)

/** GET /scim/v2/Users/{user_id}: returns a person. */
export const getScimUser = action(
  { ...shared, name: 'getScimUser', summary: 'Get a user by SCIM', params: v.object({ user_id }) },
  (caller, { user_id }) => shown(caller, user_id),
)

/** POST /scim/v2/Users: creates an account without a password. */
export const createScimUser = action(
  {
    ...shared,
    name: 'createScimUser',
    summary: 'Create a user by SCIM',
    audit: { subject: 'user', made: ({ id }) => id },
    params: v.object({ document }),
    body,
    idempotencyKey: 'one write',
  },
  (caller, { document }) =>
    caller.write(async (tx) => {
      const id = await createByScim(tx, readUser(parseDocument(document)))
      return { ...(await shown(tx, id, true)), id }
    }),
)

/** PUT /scim/v2/Users/{user_id}: changes what the document says. Members that it leaves out stay. */
export const replaceScimUser = action(
  {
    ...shared,
    name: 'replaceScimUser',
    summary: 'Replace a user by SCIM',
    audit: { subject: 'user', id: ({ user_id }) => user_id },
    params: v.object({ user_id, document, if_match }),
    body,
    headers,
  },
  (caller, { user_id, document, if_match }) =>
    caller.write(async (tx) => {
      await changeByScim(tx, await matching(tx, user_id, if_match), readUser(parseDocument(document)))
      return shown(tx, user_id)
    }),
)

/** PATCH /scim/v2/Users/{user_id}: changes single attributes. */
export const patchScimUser = action(
  {
    ...shared,
    name: 'patchScimUser',
    summary: 'Update a user by SCIM',
    audit: { subject: 'user', id: ({ user_id }) => user_id },
    params: v.object({ user_id, document, if_match }),
    body,
    headers,
  },
  (caller, { user_id, document, if_match }) =>
    caller.write(async (tx) => {
      await changeByScim(tx, await matching(tx, user_id, if_match), readPatch(parseDocument(document)))
      return shown(tx, user_id)
    }),
)

/** DELETE /scim/v2/Users/{user_id}: deactivates an account. Its messages stay, and SCIM can activate it again. */
export const deactivateScimUser = action(
  {
    ...shared,
    name: 'deactivateScimUser',
    summary: 'Deactivate a user by SCIM',
    audit: { subject: 'user', id: ({ user_id }) => user_id },
    params: v.object({ user_id, if_match }),
    headers,
  },
  (caller, { user_id, if_match }) =>
    caller.write(async (tx): Promise<ScimAnswer> => {
      await changeByScim(tx, await matching(tx, user_id, if_match), { active: false })
      return {}
    }),
)
