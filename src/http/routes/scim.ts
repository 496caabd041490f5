import {
  createScimUser,
  deactivateScimUser,
  describeScim,
  getScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
} from '../../core/accounts/provisioning/scim.ts'
import {
  createScimGroup,
  deactivateScimGroup,
  getScimGroup,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
} from '../../core/accounts/provisioning/scim-group-actions.ts'
import { searchScim, searchScimGroups, searchScimUsers } from '../../core/accounts/provisioning/scim-search.ts'
import type { Section } from '../route-types.ts'

export const SCIM_PREFIX = '/scim/v2'

/** What identity providers call to create, change and deactivate accounts. */
export const scimSection: Section = {
  tag: 'provisioning',
  routes: {
    [`${SCIM_PREFIX}/Users`]: { GET: listScimUsers, POST: createScimUser },
    [`${SCIM_PREFIX}/.search`]: { POST: searchScim },
    [`${SCIM_PREFIX}/Users/.search`]: { POST: searchScimUsers },
    [`${SCIM_PREFIX}/Groups/.search`]: { POST: searchScimGroups },
    [`${SCIM_PREFIX}/Users/:user_id(\\d+)`]: {
      GET: getScimUser,
      PUT: replaceScimUser,
      PATCH: patchScimUser,
      DELETE: deactivateScimUser,
    },
    [`${SCIM_PREFIX}/Groups`]: { GET: listScimGroups, POST: createScimGroup },
    [`${SCIM_PREFIX}/Groups/:group_id(\\d+)`]: {
      GET: getScimGroup,
      PUT: replaceScimGroup,
      PATCH: patchScimGroup,
      DELETE: deactivateScimGroup,
    },
    [`${SCIM_PREFIX}/:about`]: { GET: describeScim },
  },
}
