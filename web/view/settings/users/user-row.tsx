import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { SaveState } from '../../parts/field.tsx'
import { useShown } from '../../parts/use-saving.ts'
import { useSession } from '../../session-context.ts'
import { ChangeButton } from '../change-button.tsx'
import { OWNER, ownersAmong, roleName, roles } from '../roles.ts'
import { FormerUser } from './former-user.tsx'
import { UserSettings } from './user-settings.tsx'

/** An account, with the reader's actions. Only owners change owners. */
export function UserRow({ person }: { person: Person }) {
  const session = useSession()
  const { is_owner, realm_users, user_id: own } = session.read('users')
  const { user_id, full_name, delivery_email, email, role, is_active, is_bot } = person
  const { client } = session
  const { shown, problem, saved, run } = useShown(role, (chosen) => client.updateUser({ user_id, role: chosen }))
  const isOpen = useSignal(false)
  const mayChange = is_owner || role !== OWNER
  // The organization always has an owner.
  const isOnlyOwner = is_active && role === OWNER && ownersAmong(realm_users) === 1
  const offered = roles.filter(([value]) => is_owner || value !== OWNER)
  const choose = (chosen: number) => {
    if (user_id !== own || chosen <= role) return run(chosen)
    confirm({
      title: pageTexts.users.roleTitle(roleName(chosen)),
      text: role === OWNER ? pageTexts.users.stopOwning : pageTexts.users.stopAdministering,
      action: pageTexts.users.roleAction,
      run: async () => run(chosen),
    })
  }
  const deactivate = () =>
    confirm({
      title: pageTexts.users.deactivateTitle(isolated(full_name)),
      text: pageTexts.users.deactivateText,
      action: pageTexts.common.deactivate,
      run: () => client.deactivateUser({ user_id }),
    })
  return (
    <>
      <Avatar user_id={user_id} size={28} />
      <span class="name">
        {full_name}
        <span class="quiet small">{delivery_email ?? email}</span>
        <SaveState problem={problem.value} saved={saved.value} />
      </span>
      {is_bot || !is_active || !mayChange || isOnlyOwner ? (
        <span class="quiet small">
          {is_bot ? pageTexts.users.bot : isOnlyOwner ? pageTexts.users.onlyOwner : roleName(role)}
        </span>
      ) : (
        <select
          aria-label={pageTexts.users.roleOf(full_name)}
          value={String(shown.value)}
          onChange={({ currentTarget }) => {
            const chosen = Number(currentTarget.value)
            // It shows the choice after the event.
            currentTarget.value = String(shown.value)
            choose(chosen)
          }}
        >
          {offered.map(([value, name]) => (
            <option key={value} value={String(value)}>
              {name}
            </option>
          ))}
        </select>
      )}
      {mayChange && is_active && !is_bot && <ChangeButton name={full_name} isOpen={isOpen} />}
      {/* Readers deactivate their own account on its page. */}
      {mayChange && user_id !== own && is_active && (
        <button type="button" aria-label={pageTexts.common.deactivateName(full_name)} onClick={deactivate}>
          {pageTexts.common.deactivate}
        </button>
      )}
      {mayChange && user_id !== own && !is_active && <FormerUser person={person} isOwner={is_owner} />}
      {isOpen.value && <UserSettings person={person} />}
    </>
  )
}
