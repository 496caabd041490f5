import { loadPart } from '../../model/state/load-part.ts'
import { go } from '../../model/state/route.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Menu } from '../parts/menu.tsx'
import { useSession } from '../session-context.ts'
import { askThenSignOut } from '../sign-in/ask-sign-out.ts'

/** The organization's name, and the account menu. */
export function AccountMenu() {
  const session = useSession()
  const { realm_name } = session.read('organization')
  const { full_name, user_id } = session.read('users')
  const scheme = session.read('settings').user_settings.color_scheme
  const setScheme = (color_scheme: 1 | 2 | 3) => () => session.client.updateSettings({ color_scheme })
  const themes = [
    [texts.shell.systemTheme, 1],
    [texts.shell.lightTheme, 3],
    [texts.shell.darkTheme, 2],
  ] as const
  return (
    <header class="account">
      <Menu
        label={texts.shell.account}
        class="account-button"
        items={() => [
          {
            label: texts.shell.setStatus,
            run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openStatus(session),
          },
          { label: texts.places.settings, run: () => go('#settings/profile') },
          {
            label: texts.shell.shortcuts,
            hint: '?',
            run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openHelp(session),
          },
          ...themes.map(([name, value]) => ({
            label: name,
            checked: scheme === value,
            run: setScheme(value),
          })),
          { label: texts.shell.signOut, run: () => askThenSignOut(session) },
        ]}
      >
        <Avatar user_id={user_id} size={28} />
        <span class="name">
          <strong dir="auto">{realm_name}</strong>
          <span class="hidden">{texts.shell.accountOf}</span>
          <span class="quiet small">
            {full_name} <StatusEmoji user_id={user_id} />
          </span>
        </span>
      </Menu>
    </header>
  )
}
