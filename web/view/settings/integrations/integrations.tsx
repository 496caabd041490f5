import { pageTexts } from '../../../texts/page-texts.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { rich } from '../../parts/rich.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { useAnswer } from '../use-answer.ts'
import { IntegrationRow } from './integration-row.tsx'
import { templateIn } from './template.ts'
import { TemplateFields } from './template-fields.tsx'

/** Integrations that administrators make from templates. */
export function Integrations() {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.listWebhookTemplates({}), 'organization')
  const templates = answer.value?.webhook_templates
  return (
    <>
      <p class="quiet">
        {rich(pageTexts.integrations.intro, { bots: (inside) => <a href="#settings/bots">{inside}</a> })}
      </p>
      <Disclosure label={pageTexts.integrations.new}>
        {(close) => (
          <ActionForm
            action={pageTexts.integrations.create}
            onCancel={close}
            run={async (data) => {
              await client.createWebhookTemplate(templateIn(data))
              await load()
              close()
            }}
          >
            <TemplateFields />
          </ActionForm>
        )}
      </Disclosure>
      {problem.value && <p class="problem">{problem.value}</p>}
      {templates?.length === 0 && <p class="quiet">{pageTexts.integrations.empty}</p>}
      <ul class="settings-list">
        {templates?.map((template) => (
          <IntegrationRow key={template.id} template={template} onChanged={load} />
        ))}
      </ul>
    </>
  )
}
