import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { type ScimAnswer, scimAnswer } from '../../kernel/answers.ts'
import type { Caller } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { member, parseDocument, textIn } from './scim-document.ts'
import { scimError } from './scim-error.ts'
import { readFilter, readGroupFilter } from './scim-filter.ts'
import { scimGroups } from './scim-groups.ts'
import { scimPage } from './scim-users.ts'
import { groupView, listOf, scimView } from './scim-view.ts'

const MAX_PAGE = 200
const MAX_NAMES = 50
const shared = {
  credentials: 'bearer',
  answers: 'scim',
  role: 'owner',
  result: scimAnswer,
  body: { types: ['application/scim+json', 'application/json'], param: 'document' },
  params: v.object({ document: described(text, 'A SearchRequest of RFC 7644.') }),
} as const

interface Search {
  filter: string | undefined
  /** Resources before the page. */
  skipped: number
  most: number
  attributes: ReadonlySet<string> | undefined
  excluded: ReadonlySet<string>
}

interface Found {
  page: object[]
  total: number
}

function readSearch(document: string): Search {
  const given = parseDocument(document)
  const filter = member(given, 'filter') ?? undefined
  const names = (name: string) => namesIn(name, member(given, name.toLowerCase()))
  return {
    filter: filter === undefined ? undefined : textIn('filter', filter),
    skipped: Math.max(1, numberIn('startIndex', member(given, 'startIndex'.toLowerCase())) ?? 1) - 1,
    most: Math.min(MAX_PAGE, Math.max(0, numberIn('count', member(given, 'count')) ?? 100)),
    attributes: names('attributes'),
    excluded: names('excludedAttributes') ?? new Set(),
  }
}

function numberIn(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (!Number.isSafeInteger(value)) throw scimError('invalidValue', `${name} must be a whole number`)
  return value as number
}

/** Returns the names of attributes in lower case, without their schemas and parts. */
function namesIn(name: string, value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > MAX_NAMES)
    throw scimError('invalidValue', `${name} must be a list of names`)
  return new Set(
    value.map((one) =>
      textIn(name, one)
        .replace(/^urn:.*:/i, '')
        .split('.')[0]!
        .trim()
        .toLowerCase(),
    ),
  )
}

/** Leaves out attributes that weren't asked for. The schemas and the ID are always there. */
function chosen(resource: object, { attributes, excluded }: Search): object {
  const isShown = (name: string): boolean =>
    name === 'schemas' || name === 'id' || (attributes ? attributes.has(name) : !excluded.has(name))
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name.toLowerCase())))
}

async function usersFor(caller: Caller, search: Search): Promise<Found> {
  const { page, total } = await scimPage(caller, readFilter(search.filter), search.skipped, search.most)
  return { page: page.map((one) => chosen(scimView(one, caller.origin), search)), total }
}

async function groupsFor(caller: Caller, search: Search): Promise<Found> {
  const withMembers = search.attributes ? search.attributes.has('members') : !search.excluded.has('members')
  const { page, total } = await scimGroups(caller, { ...readGroupFilter(search.filter), ...search }, withMembers)
  return { page: page.map((group) => chosen(groupView(group, caller.origin, withMembers), search)), total }
}

/** Resources without the attribute of a filter match nothing. A filter that neither kind has is an error. */
async function bothFor(caller: Caller, search: Search): Promise<Found> {
  const users = await orNone(() => usersFor(caller, search))
  const left = search.most - (users?.page.length ?? 0)
  const rest = { ...search, skipped: Math.max(0, search.skipped - (users?.total ?? 0)), most: left }
  const groups = await orNone(() => groupsFor(caller, rest))
  if (!users && !groups) throw scimError('invalidFilter', 'Filters compare attributes of users or groups with eq')
  return {
    page: [...(users?.page ?? []), ...(groups?.page ?? [])],
    total: (users?.total ?? 0) + (groups?.total ?? 0),
  }
}

async function orNone(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    if (isChatError(error) && error.data.scimType === 'invalidFilter') return undefined
    throw error
  }
}

const searching =
  (find: (caller: Caller, search: Search) => Promise<Found>) =>
  async (caller: Caller, { document }: { document: string }): Promise<ScimAnswer> => {
    const search = readSearch(document)
    const { page, total } = await find(caller, search)
    return { document: listOf(page, total, search.skipped + 1) }
  }

/** POST /scim/v2/Users/.search: lists people, with the filter in the body, so that no log of requests has it. */
export const searchScimUsers = action(
  { ...shared, name: 'searchScimUsers', summary: 'Search users by SCIM' },
  searching(usersFor),
)

/** POST /scim/v2/Groups/.search: lists groups, with the filter in the body. */
export const searchScimGroups = action(
  { ...shared, name: 'searchScimGroups', summary: 'Search groups by SCIM' },
  searching(groupsFor),
)

/** POST /scim/v2/.search: lists users, then groups. */
export const searchScim = action(
  { ...shared, name: 'searchScim', summary: 'Search users and groups by SCIM' },
  searching(bothFor),
)
