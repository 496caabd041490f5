import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { FormField } from '../form-field.tsx'
import type { Template } from './template.ts'
import { TemplatePreview } from './template-preview.tsx'

const MAX_TEMPLATE_LENGTH = 10_000

/** The fields of an integration, with a preview of the message that it makes of a payload. */
export function TemplateFields({ template }: { template?: Template }) {
  const common = { maxLength: MAX_TEMPLATE_LENGTH, spellcheck: false }
  return (
    <>
      <FormField
        name="name"
        label={pageTexts.common.name}
        about={pageTexts.integrations.nameHelp}
        required
        maxLength={40}
        pattern="[a-z][a-z0-9_\-]*"
        spellcheck={false}
        placeholder={pageTexts.integrations.nameExample}
        defaultValue={template?.name}
      />
      <FormField
        name="content"
        label={texts.compose.message}
        about={pageTexts.integrations.contentHelp}
        required
        rows={4}
        {...common}
        placeholder={pageTexts.integrations.contentExample}
        defaultValue={template?.content}
      />
      <FormField
        name="topic"
        label={texts.compose.topic}
        about={pageTexts.integrations.topicHelp}
        {...common}
        placeholder={pageTexts.integrations.topicExample}
        defaultValue={template?.topic}
      />
      <FormField
        name="event"
        label={pageTexts.integrations.event}
        about={pageTexts.integrations.eventHelp}
        {...common}
        placeholder={pageTexts.integrations.eventExample}
        defaultValue={template?.event}
      />
      <TemplatePreview />
    </>
  )
}
