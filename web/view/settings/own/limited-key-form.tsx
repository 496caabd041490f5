import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { openCopyDialog } from '../../parts/copy-dialog.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { Confirmation, type Proof, passwordIn } from './confirmation.tsx'

const DAYS = [7, 30, 90, 365] as const
const CHOICES = ['read', 'send', 'webhook', 'write', 'manage', 'provision', 'provision_groups'] as const
type Scope = (typeof CHOICES)[number]

/** Creates a key for a program that may not do everything that its owner may. */
export function LimitedKeyForm({ proof, onDone }: { proof: Proof; onDone(): Promise<void> }) {
  const session = useSession()
  const { client } = session
  const { subscriptions, is_owner, is_admin, ...state } = session.read('streams', 'users', 'organization')
  const most = state.realm_api_token_max_days
  const scope = useSignal<Scope>('read')
  const create = async (data: FormData) => {
    const [days, channel] = [textIn(data, 'expires_in_days'), textIn(data, 'channels')]
    const { api_key } = await client.createApiKey({
      name: textIn(data, 'name'),
      scopes: [scope.value],
      password: passwordIn(data),
      ...(days !== '' && { expires_in_days: Number(days) }),
      ...(channel !== '' && { channels: [Number(channel)] }),
    })
    await onDone()
    openCopyDialog(pageTexts.limitedKeys.madeTitle, pageTexts.limitedKeys.madeText(session.state.delivery_email), [
      { label: pageTexts.bots.apiKey, value: api_key },
    ])
  }
  const offered = CHOICES.filter((one) => (one.startsWith('provision') ? is_owner : one !== 'manage' || is_admin))
  const ends = DAYS.filter((days) => most === null || days <= most).map(
    (days) => [String(days), pageTexts.limitedKeys.days(days)] as const,
  )
  const channels = subscriptions.filter(({ is_archived }) => !is_archived)
  return (
    <ActionForm action={pageTexts.limitedKeys.create} run={create}>
      <p class="quiet small">{pageTexts.limitedKeys.about}</p>
      <FormField name="name" label={pageTexts.limitedKeys.name} required maxLength={100} spellcheck={false} />
      <FormField
        name="scopes"
        label={pageTexts.limitedKeys.scope}
        options={offered.map((one) => [one, pageTexts.limitedKeys.scopes[one]] as const)}
        onChoose={(value) => (scope.value = value as Scope)}
      />
      {(scope.value === 'send' || scope.value === 'webhook') && (
        <FormField
          name="channels"
          label={pageTexts.common.channel}
          options={[
            ['', pageTexts.limitedKeys.anyChannel],
            ...channels.map(({ stream_id, name }) => [String(stream_id), name] as const),
          ]}
          onChoose={() => {}}
        />
      )}
      <FormField
        name="expires_in_days"
        label={pageTexts.limitedKeys.ends}
        options={[...ends, ['', most === null ? pageTexts.limitedKeys.never : pageTexts.limitedKeys.days(most)]]}
        onChoose={() => {}}
      />
      <Confirmation proof={proof} />
    </ActionForm>
  )
}
