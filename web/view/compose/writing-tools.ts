/** What writing needs beyond the text itself, loaded after the first frame. */
export { AttachmentList } from './attachment-list.tsx'
export { ComposeTools } from './compose-tools.tsx'
export { editingKey } from './editing-key.ts'
export { pasteHtml } from './paste-html.ts'
export { QuoteCards } from './quote-cards.tsx'
export { SlowMode } from './slow-mode.tsx'
