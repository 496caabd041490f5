import { hasPermission, isAllowed } from '../../../../src/client/index.ts'
import type { Group } from '../../../model/reading/groups.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { go } from '../../../model/state/route.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { attempt } from '../../parts/notices.tsx'
import { keepTab, tabInAddress } from '../../parts/tab-in-address.ts'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useSession } from '../../session-context.ts'
import { DangerZone } from '../danger-zone.tsx'
import { SettingCards } from '../setting-cards.tsx'
import { SettingField } from '../setting-field.tsx'
import { GroupMembers } from './group-members.tsx'
import { groupTabs } from './group-table.ts'
import { withUses } from './group-uses.ts'
import { Subgroups } from './subgroups.tsx'

/** After `#settings/groups` and the group's ID. */
const TAB = 3

/** A group's members and, with the right to change it, its permissions, with a way to join or leave. */
export function GroupPage({ group_id }: { group_id: number }) {
  const session = useSession()
  const { client } = session
  const state = session.read('groups', 'users', 'organization')
  const group = state.realm_user_groups.find(({ id }) => id === group_id)
  if (!group || group.is_system_group || group.deactivated) return <p>{pageTexts.groups.missing}</p>
  const may = (value: Group['can_manage_group']) => !state.is_guest && isAllowed(state, value)
  const manages = hasPermission(state, 'realm_can_manage_all_groups') || may(group.can_manage_group)
  const isIn = group.members.includes(state.user_id)
  const change = (members: { add?: number[]; delete?: number[] }) =>
    attempt(() => client.changeMembers({ user_group_id: group_id, ...members }))
  const mayAdd = manages || may(group.can_add_members_group)
  const mayRemove = manages || may(group.can_remove_members_group)
  const mayJoin = mayAdd || may(group.can_join_group)
  // The system group that guests may have.
  const mayLeave = mayRemove || isAllowed(state, group.can_leave_group)
  const deactivate = () =>
    confirm({
      title: pageTexts.groups.deactivateTitle(isolated(group.name)),
      text: pageTexts.groups.deactivateText,
      action: pageTexts.common.deactivate,
      run: async () => {
        try {
          await client.deactivateGroup({ user_group_id: group_id })
        } catch (error) {
          throw withUses(session, error)
        }
        go('#settings/groups')
      },
    })
  const tabs: (Tab | false)[] = [
    {
      name: 'members',
      title: pageTexts.groups.members,
      content: () => (
        <>
          <GroupMembers group={group} mayAdd={mayAdd} mayRemove={mayRemove} />
          <Subgroups group={group} mayAdd={mayAdd} mayRemove={mayRemove} />
        </>
      ),
    },
    manages && {
      name: 'general',
      title: pageTexts.channel.general,
      content: () => (
        <>
          <GroupSettings group={group} of="general" />
          <DangerZone
            about={pageTexts.groups.deactivateText}
            action={pageTexts.common.deactivate}
            onClick={deactivate}
          />
        </>
      ),
    },
    manages && {
      name: 'permissions',
      title: pageTexts.sections.permissions,
      content: () => <GroupSettings group={group} of="permissions" />,
    },
  ]
  return (
    <>
      <p>
        <a href="#settings/groups">{pageTexts.groups.all}</a>
      </p>
      <h3>{group.name}</h3>
      <p class="quiet">{group.description || pageTexts.groups.noDescription}</p>
      <p class="buttons">
        {!isIn && mayJoin && (
          <button type="button" onClick={() => change({ add: [state.user_id] })}>
            {pageTexts.groups.join}
          </button>
        )}
        {isIn && mayLeave && (
          <button type="button" onClick={() => change({ delete: [state.user_id] })}>
            {pageTexts.groups.leave}
          </button>
        )}
      </p>
      <Tabs
        label={pageTexts.groups.settings}
        tabs={tabs.filter((tab) => tab !== false)}
        first={tabInAddress(TAB)}
        onShow={(tab) => keepTab(TAB, tab)}
      />
    </>
  )
}

/** The settings of a group on one of its tabs. */
function GroupSettings({ group, of }: { group: Group; of: keyof typeof groupTabs }) {
  const session = useSession()
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('groups')
  return (
    <SettingCards<(typeof groupTabs)[typeof of][number]> settings={groupTabs[of]}>
      {(setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={group[setting.name]}
          of="group"
          save={(value) => session.client.updateGroup({ user_group_id: group.id, [setting.name]: value })}
        />
      )}
    </SettingCards>
  )
}
