import { isDirectSystemMember } from '../../../access/group-graph.ts'
import { groupSetting, groupSettingNames } from '../../../groups/settings.ts'
import type { SystemGroupName } from '../../../settings/group-setting-value.ts'
import { settingsOf } from '../../../settings/organization.ts'
import { topicsPolicies } from '../../../shapes/stream.ts'
import { streamSetting, streamSettingNames } from '../../../streams/settings.ts'
import { recipientOfConversation } from './recipients.ts'
import { mapped, numbered, paged, REALM, type Row, type Rows, type Source } from './source.ts'

const DAY = 86_400

/** Streams with content in the archive. The archive doesn't reveal that others exist. */
export const streams = ({ db, scope, groupOf }: Source): Rows =>
  mapped(
    paged((after, limit) =>
      db.selectFrom('stream').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),
    ),
    (stream) => {
      if (!scope.streams.has(stream.id)) return undefined
      const { id, name, description, rendered_description, date_created, message_retention_days } = stream
      return {
        id,
        name,
        realm: REALM,
        date_created,
        creator: stream.creator_id,
        deactivated: stream.is_archived === 1,
        description,
        rendered_description,
        recipient: recipientOfConversation(id),
        invite_only: stream.invite_only === 1,
        history_public_to_subscribers: stream.history_public_to_subscribers === 1,
        is_web_public: stream.is_web_public === 1,
        is_in_zephyr_realm: false,
        message_retention_days,
        first_message_id: stream.first_message_id,
        is_recently_active: stream.is_recently_active === 1,
        folder: stream.folder_id,
        topics_policy: topicsPolicies.indexOf(stream.topics_policy) + 1,
        subscriber_count: stream.subscriber_count,
        ...Object.fromEntries(streamSettingNames.map((one) => [one, groupOf(streamSetting(stream.settings, one))])),
      }
    },
  )

/** Folders are public, whatever is in them. */
export async function channelFolders({ db }: Source): Promise<Rows> {
  const rows = await db.selectFrom('channel_folder').selectAll().orderBy('id').execute()
  return [
    rows.map((row) => ({
      id: row.id,
      realm: REALM,
      name: row.name,
      description: row.description,
      rendered_description: row.rendered_description,
      order: row.position,
      date_created: row.date_created,
      creator: row.creator_id,
      is_archived: row.is_archived === 1,
    })),
  ]
}

export async function defaultStreams({ db, scope }: Source): Promise<Rows> {
  const rows = await db.selectFrom('default_stream').select('stream_id').orderBy('stream_id').execute()
  const there = rows.filter((row) => scope.streams.has(row.stream_id))
  return numbered(there.map(({ stream_id }) => ({ realm: REALM, stream: stream_id })))
}

/** Named groups. */
export const namedGroups = ({ db, groupOf }: Source): Rows =>
  mapped(
    paged((after, limit) =>
      db.selectFrom('user_group').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),
    ),
    (group) => ({
      id: group.id,
      usergroup_ptr: group.id,
      name: group.name,
      description: group.description,
      date_created: group.date_created,
      creator: group.creator_id,
      is_system_group: group.is_system_group === 1,
      deactivated: group.is_deactivated === 1,
      realm_for_sharding: REALM,
      ...Object.fromEntries(groupSettingNames.map((name) => [name, groupOf(groupSetting(group, name))])),
    }),
  )

/** Yields all groups, including the sets of settings, so it is written after everything with such settings. */
export async function* groups({ db, unnamed }: Source): AsyncGenerator<Row[]> {
  const rows = await db.selectFrom('user_group').select('id').orderBy('id').execute()
  yield [...rows.map((row) => row.id), ...unnamed.keys()].map((id) => ({ id, realm: REALM }))
}

/** Yields direct members. In system groups, roles decide. */
export async function* groupMembers(source: Source): AsyncGenerator<Row[]> {
  const { db, unnamed, now } = source
  let id = 0
  const member = (user_group: number, user_profile: number) => ({ id: ++id, user_group, user_profile })
  const rows = await db.selectFrom('user_group_member').selectAll().orderBy('group_id').orderBy('user_id').execute()
  yield rows.map((row) => member(row.group_id, row.user_id))
  for (const [group, { direct_members }] of unnamed) yield direct_members.map((user) => member(group, user))
  const system = await db.selectFrom('user_group').select(['id', 'name']).where('is_system_group', '=', 1).execute()
  const { waiting_period_threshold } = await settingsOf(source.reader)
  const users = paged((after, limit) =>
    db
      .selectFrom('user')
      .select(['id', 'role', 'date_joined'])
      .where('id', '>', after)
      .where('is_system_bot', '=', 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const page of users) {
    yield page.flatMap((user) => {
      const isFull = user.date_joined <= now - waiting_period_threshold * DAY
      const theirs = system.filter(({ name }) => isDirectSystemMember(name as SystemGroupName, user, isFull))
      return theirs.map((group) => member(group.id, user.id))
    })
  }
}

export async function* subgroups({ db, unnamed }: Source): AsyncGenerator<Row[]> {
  let id = 0
  const rows = await db
    .selectFrom('user_group_subgroup')
    .selectAll()
    .orderBy('group_id')
    .orderBy('subgroup_id')
    .execute()
  yield rows.map((row) => ({ id: ++id, supergroup: row.group_id, subgroup: row.subgroup_id }))
  for (const [supergroup, { direct_subgroups }] of unnamed) {
    yield direct_subgroups.map((subgroup) => ({ id: ++id, supergroup, subgroup }))
  }
}
