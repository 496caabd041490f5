import { signOut } from '../../model/state/account.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go } from '../../model/state/route.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { confirm } from '../parts/confirm.tsx'
import { Menu } from '../parts/menu.tsx'
import { useSession } from '../session-context.ts'

/** Whose page it is, and what concerns the account. */
export function AccountMenu() {
  const session = useSession()
  const { realm_name } = session.read('organization')
  const { full_name, user_id } = session.read('users')
  const scheme = session.read('settings').user_settings.color_scheme
  const setScheme = (color_scheme: 1 | 2 | 3) => () => session.client.updateSettings({ color_scheme })
  const themes = [
    ['Theme of the system', 1],
    ['Light theme', 3],
    ['Dark theme', 2],
  ] as const
  /** What waits to be sent, or was refused, goes with the account. */
  const askThenSignOut = async () => {
    const left = session.outgoing.value.filter(({ status }) => status !== 'sent').length
    if (left === 0) await signOut()
    else
      confirm({
        title: 'Sign out?',
        text:
          left === 1
            ? 'One message has not been sent, and is lost then.'
            : `${left} messages have not been sent, and are lost then.`,
        action: 'Sign out',
        run: signOut,
      })
  }
  return (
    <header class="account">
      <Menu
        label="Account"
        class="account-button"
        items={() => [
          {
            label: 'Set your status',
            run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openStatus(),
          },
          { label: 'Settings', run: () => go('#settings/profile') },
          {
            label: 'Keyboard shortcuts',
            hint: '?',
            run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openHelp(),
          },
          ...themes.map(([name, value]) => ({
            label: name,
            checked: scheme === value,
            run: setScheme(value),
          })),
          { label: 'Sign out', run: askThenSignOut },
        ]}
      >
        <Avatar user_id={user_id} size={28} />
        <span class="name">
          <strong>{realm_name}</strong>
          <span class="hidden">, account of</span>
          <span class="quiet small">
            {full_name} <StatusEmoji user_id={user_id} />
          </span>
        </span>
      </Menu>
    </header>
  )
}
