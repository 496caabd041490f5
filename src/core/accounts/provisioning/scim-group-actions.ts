import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { type ScimAnswer, scimAnswer } from '../../kernel/answers.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { described, id, integer, text } from '../../kernel/fields.ts'
import { parseDocument } from './scim-document.ts'
import { readGroupFilter } from './scim-filter.ts'
import { readGroup, readGroupPatch } from './scim-group-document.ts'
import {
  changeGroupByScim,
  createGroupByScim,
  deactivateGroupByScim,
  type ScimGroup,
  scimGroup,
  scimGroups,
} from './scim-groups.ts'
import { requireVersion } from './scim-version.ts'
import { groupView, listOf } from './scim-view.ts'

const MAX_PAGE = 200
const shared = { credentials: 'bearer', answers: 'scim', role: 'owner', result: scimAnswer } as const
const body = { types: ['application/scim+json', 'application/json'], param: 'document' }
const group_id = described(id, 'ID of the group.')
const document = described(text, 'The body, in the form of RFC 7643 or RFC 7644.')
const if_match = described(v.nullish(text), 'Its version, or several: otherwise nothing is changed.')
const headers = { if_match: 'if-match' }
const excludedAttributes = described(v.nullish(text), '`members` leaves the members out.')

const leavesOut = (attributes: string | null | undefined): boolean =>
  (attributes ?? '').split(',').some((name) => name.trim().toLowerCase() === 'members')

async function shown(caller: Caller, id: number, { created = false, withMembers = true } = {}): Promise<ScimAnswer> {
  const found = groupView(await scimGroup(caller, id, withMembers), caller.origin, withMembers)
  return { created, document: found, location: found.meta.location }
}

/** Returns a group in the version that a request demands, without its members. Throws 404 and 412. */
async function matching(tx: Tx, group_id: number, if_match: string | null | undefined): Promise<ScimGroup> {
  const found = await scimGroup(tx, group_id, false)
  requireVersion(found.version, if_match)
  return found
}

/** GET /scim/v2/Groups: lists the groups that people and providers made. */
export const listScimGroups = action(
  {
    ...shared,
    name: 'listScimGroups',
    summary: 'List groups by SCIM',
    params: v.object({
      filter: described(v.nullish(text), '`displayName eq "Staff"` or `id eq "1"`.'),
      startIndex: described(v.nullish(integer), 'Number of the first group; 1 by default.'),
      count: described(v.nullish(integer), 'Most groups to return, up to 200; 100 by default.'),
      excludedAttributes,
    }),
  },
  async (caller, { filter, startIndex, count, excludedAttributes: excluded }): Promise<ScimAnswer> => {
    const first = Math.max(1, startIndex ?? 1)
    const most = Math.min(MAX_PAGE, Math.max(0, count ?? 100))
    const withMembers = !leavesOut(excluded)
    const wanted = { ...readGroupFilter(filter), skipped: first - 1, most }
    const { page, total } = await scimGroups(caller, wanted, withMembers)
    const views = page.map((group) => groupView(group, caller.origin, withMembers))
    return { document: listOf(views, total, first) }
  },
)

/** GET /scim/v2/Groups/{group_id}: returns a group. */
export const getScimGroup = action(
  {
    ...shared,
    name: 'getScimGroup',
    summary: 'Get a group by SCIM',
    params: v.object({ group_id, excludedAttributes }),
  },
  (caller, { group_id, excludedAttributes: excluded }) =>
    shown(caller, group_id, { withMembers: !leavesOut(excluded) }),
)

/** POST /scim/v2/Groups: creates a group. */
export const createScimGroup = action(
  {
    ...shared,
    name: 'createScimGroup',
    summary: 'Create a group by SCIM',
    audit: { subject: 'group', made: ({ id }) => id },
    params: v.object({ document }),
    body,
    idempotencyKey: 'one write',
  },
  (caller, { document }) =>
    caller.write(async (tx) => {
      const id = await createGroupByScim(tx, readGroup(parseDocument(document)))
      return { ...(await shown(tx, id, { created: true })), id }
    }),
)

/** PUT /scim/v2/Groups/{group_id}: changes what the document says. Members that it doesn't mention at all stay. */
export const replaceScimGroup = action(
  {
    ...shared,
    name: 'replaceScimGroup',
    summary: 'Replace a group by SCIM',
    audit: { subject: 'group', id: ({ group_id }) => group_id },
    params: v.object({ group_id, document, if_match }),
    body,
    headers,
  },
  async (caller, { group_id, document, if_match }) => {
    const change = readGroup(parseDocument(document))
    await caller.write(async (tx) => changeGroupByScim(tx, await matching(tx, group_id, if_match), [change]))
    return shown(caller, group_id)
  },
)

/** PATCH /scim/v2/Groups/{group_id}: renames a group, and adds and removes members. */
export const patchScimGroup = action(
  {
    ...shared,
    name: 'patchScimGroup',
    summary: 'Update a group by SCIM',
    audit: { subject: 'group', id: ({ group_id }) => group_id },
    params: v.object({ group_id, document, if_match }),
    body,
    headers,
  },
  async (caller, { group_id, document, if_match }) => {
    const changes = readGroupPatch(parseDocument(document))
    await caller.write(async (tx) => changeGroupByScim(tx, await matching(tx, group_id, if_match), changes))
    return shown(caller, group_id)
  },
)

/** DELETE /scim/v2/Groups/{group_id}: deactivates a group that nothing uses. */
export const deactivateScimGroup = action(
  {
    ...shared,
    name: 'deactivateScimGroup',
    summary: 'Deactivate a group by SCIM',
    audit: { subject: 'group', id: ({ group_id }) => group_id },
    params: v.object({ group_id, if_match }),
    headers,
  },
  (caller, { group_id, if_match }) =>
    caller.write(async (tx): Promise<ScimAnswer> => {
      await deactivateGroupByScim(tx, await matching(tx, group_id, if_match))
      return {}
    }),
)
