import type { ScimGroup } from './scim-groups.ts'
import { roleNameOf, type ScimUser } from './scim-users.ts'
import { versionOf } from './scim-version.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Returns the version of a user. */
export const userVersion = ({ user, externalId }: ScimUser): string =>
  versionOf(user.delivery_email, user.full_name, user.is_active, user.role, externalId)

/** Returns a user as SCIM shows them. @param base - address of the server */
export function scimView(found: ScimUser, base: string) {
  const { user, externalId } = found
  return {
    schemas: [USER_SCHEMA],
    id: String(user.id),
    ...(externalId !== undefined && { externalId }),
    userName: user.delivery_email,
    name: { formatted: user.full_name },
    displayName: user.full_name,
    emails: [{ value: user.delivery_email, type: 'work', primary: true }],
    active: Boolean(user.is_active),
    roles: [{ value: roleNameOf(user), primary: true }],
    meta: {
      resourceType: 'User',
      created: new Date(user.date_joined * 1000).toISOString(),
      location: `${base}/scim/v2/Users/${user.id}`,
      version: userVersion(found),
    },
  }
}

/** Returns a group as SCIM shows it. @param base - address of the server */
export function groupView({ id, name, members, version }: ScimGroup, base: string, withMembers = true) {
  return {
    schemas: [GROUP_SCHEMA],
    id: String(id),
    displayName: name,
    ...(withMembers && {
      members: members.map((one) => ({
        value: String(one.id),
        display: one.full_name,
        $ref: `${base}/scim/v2/Users/${one.id}`,
      })),
    }),
    meta: { resourceType: 'Group', location: `${base}/scim/v2/Groups/${id}`, version },
  }
}

export const listOf = (resources: readonly object[], totalResults = resources.length, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const no = { supported: false }

/** What this server can do. */
export const serviceProviderConfig = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: no,
  sort: no,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key with the scope "provision" or "provision_groups"',
      primary: true,
    },
  ],
}

export const resourceTypes = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    schema: USER_SCHEMA,
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    schema: GROUP_SCHEMA,
  },
]

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

export const schemas = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER_SCHEMA,
    name: 'User',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('name', {
        type: 'complex',
        subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
      }),
      attribute('displayName'),
      attribute('active', { type: 'boolean' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: ['value', 'type'].map((name) => attribute(name)),
      }),
      attribute('roles', {
        type: 'complex',
        multiValued: true,
        subAttributes: [attribute('value'), attribute('primary', { type: 'boolean' })],
      }),
    ],
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: GROUP_SCHEMA,
    name: 'Group',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('members', {
        type: 'complex',
        multiValued: true,
        subAttributes: [attribute('value'), attribute('display', { mutability: 'readOnly' })],
      }),
    ],
  },
]
