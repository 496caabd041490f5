import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { copyLink } from '../../parts/copy-text.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { webhookAddress } from '../bots/webhook-address.ts'
import { ChangeButton } from '../change-button.tsx'
import { type Template, templateIn } from './template.ts'
import { TemplateFields } from './template-fields.tsx'

interface RowProps {
  template: Template & { id: number }
  onChanged(): Promise<void>
}

/** An integration of the organization, with its address. */
export function IntegrationRow({ template, onChanged }: RowProps) {
  const session = useSession()
  const { client } = session
  const { realm_url } = session.read('organization')
  const isOpen = useSignal(false)
  const { id: template_id, name } = template
  const address = webhookAddress(realm_url, name)
  const remove = () =>
    confirm({
      title: pageTexts.integrations.removeTitle(name),
      text: pageTexts.integrations.removeText,
      action: pageTexts.common.remove,
      run: async () => {
        await client.removeWebhookTemplate({ template_id })
        await onChanged()
      },
    })
  const save = async (data: FormData) => {
    await client.updateWebhookTemplate({ template_id, ...templateIn(data) })
    await onChanged()
    isOpen.value = false
  }
  return (
    <li class="bot">
      <span class="name">
        {name}
        <code class="small">{address}</code>
      </span>
      <button
        type="button"
        aria-label={pageTexts.integrations.copyUrlOf(name)}
        onClick={() => attempt(() => copyLink(address))}
      >
        {pageTexts.integrations.copyUrl}
      </button>
      <ChangeButton name={name} isOpen={isOpen} />
      <button type="button" aria-label={texts.common.removeName(name)} onClick={remove}>
        {pageTexts.common.remove}
      </button>
      {isOpen.value && (
        <ActionForm action={texts.common.save} onCancel={() => (isOpen.value = false)} run={save}>
          <TemplateFields template={template} />
        </ActionForm>
      )}
    </li>
  )
}
