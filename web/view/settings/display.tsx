import { useSession } from '../session-context.ts'
import { CheckField, ChoiceField } from './field.tsx'

/** How the page looks and behaves. */
export function Display() {
  const session = useSession()
  const { client } = session
  const settings = session.read('settings').user_settings
  return (
    <>
      <ChoiceField
        label="Theme"
        about="Light, dark, or as your system has it."
        value={settings.color_scheme}
        options={[
          [1, 'As the system'],
          [3, 'Light'],
          [2, 'Dark'],
        ]}
        save={(color_scheme) => client.updateSettings({ color_scheme })}
      />
      <CheckField
        label="24 hours"
        about="Times as 14:05 instead of 2:05 PM."
        value={settings.twenty_four_hour_time}
        save={(twenty_four_hour_time) => client.updateSettings({ twenty_four_hour_time })}
      />
      <CheckField
        label="Enter sends"
        about="Shift+Enter begins a new line then. Otherwise Ctrl+Enter sends."
        value={settings.enter_sends}
        save={(enter_sends) => client.updateSettings({ enter_sends })}
      />
      <ChoiceField
        label="Mark messages as read"
        about="When a message that was on your screen counts as read."
        value={settings.web_mark_read_on_scroll_policy}
        options={[
          [1, 'When they were seen'],
          [2, 'Only in the view of a conversation'],
          [3, 'Never by themselves'],
        ]}
        save={(web_mark_read_on_scroll_policy) => client.updateSettings({ web_mark_read_on_scroll_policy })}
      />
    </>
  )
}
