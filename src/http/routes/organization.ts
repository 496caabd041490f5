import {
  createSignOnProvider,
  listSignOnProviders,
  removeSignOnProvider,
  updateSignOnProvider,
} from '../../core/accounts/sign-on/page-providers.ts'
import { testSignOnProvider } from '../../core/accounts/sign-on/test-provider.ts'
import { testWelcomeText } from '../../core/accounts/welcome.ts'
import {
  createWebhookTemplate,
  listWebhookTemplates,
  removeWebhookTemplate,
  updateWebhookTemplate,
} from '../../core/bots/incoming/edit-templates.ts'
import { testWebhookTemplate } from '../../core/bots/incoming/try-template.ts'
import { exportAudit, listAudit } from '../../core/organization/audit/list.ts'
import { deactivateOrganization } from '../../core/organization/deactivate.ts'
import { addDomain, listDomains, removeDomain, updateDomain } from '../../core/organization/domains.ts'
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from '../../core/organization/edit-pictures.ts'
import { deleteExport, listExportConsents, listExports, startExport } from '../../core/organization/exports/exports.ts'
import { getImport, inviteNewcomers, listImports, undoImport } from '../../core/organization/imports/actions.ts'
import {
  createImportJob,
  discardImportJob,
  listImportPeople,
  startImportJob,
  updateImportJob,
} from '../../core/organization/imports/job-actions.ts'
import {
  createLinkifier,
  listLinkifiers,
  removeLinkifier,
  updateLinkifier,
} from '../../core/organization/linkifiers/edit.ts'
import { reorderLinkifiers } from '../../core/organization/linkifiers/reorder.ts'
import { removeMailServer, setMailServer } from '../../core/organization/mail-server.ts'
import { allowMailTo, dropMail, listMail, retryMail, testMail } from '../../core/organization/outbox.ts'
import { createPlayground, removePlayground } from '../../core/organization/playgrounds.ts'
import { redirectToIcon, redirectToLogo } from '../../core/organization/served-pictures.ts'
import { updateOrganization } from '../../core/organization/update.ts'
import { updateSettingsDefaults } from '../../core/organization/user-settings-defaults.ts'
import { createContentFilter, listContentFilters, removeContentFilter } from '../../core/review/filters/edit.ts'
import { getRealmPresence } from '../../core/users/presence.ts'
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../../core/users/profile-fields.ts'
import type { Routes } from '../route-types.ts'

/** The organization, its settings and profile fields. */
export const organizationRoutes: Routes = {
  '/realm/test_welcome_bot_custom_message': { POST: testWelcomeText },
  '/realm': { PATCH: updateOrganization },
  '/realm/icon': { GET: redirectToIcon, POST: uploadIcon, DELETE: removeIcon },
  '/realm/logo': { GET: redirectToLogo, POST: uploadLogo, DELETE: removeLogo },
  '/realm/user_settings_defaults': { PATCH: updateSettingsDefaults },
  '/realm/deactivate': { POST: deactivateOrganization },
  '/audit': { GET: listAudit },
  '/audit/export': { GET: exportAudit },
  '/mail': { GET: listMail },
  '/mail/server': { PUT: setMailServer, DELETE: removeMailServer },
  '/mail/test': { POST: testMail },
  '/mail/suppressed': { DELETE: allowMailTo },
  '/mail/:mail_id(\\d+)': { DELETE: dropMail },
  '/mail/:mail_id(\\d+)/retry': { POST: retryMail },
  '/sign_on/providers': { GET: listSignOnProviders, POST: createSignOnProvider },
  '/sign_on/providers/test': { POST: testSignOnProvider },
  '/sign_on/providers/:provider_id(\\d+)': { PATCH: updateSignOnProvider, DELETE: removeSignOnProvider },
  '/realm/domains': { GET: listDomains, POST: addDomain },
  '/realm/domains/:domain': { PATCH: updateDomain, DELETE: removeDomain },
  '/export/realm': { GET: listExports, POST: startExport },
  '/export/realm/consents': { GET: listExportConsents },
  '/export/realm/:export_id(\\d+)': { DELETE: deleteExport },
  '/imports': { GET: listImports },
  '/imports/:import_id(\\d+)': { GET: getImport },
  '/imports/:import_id(\\d+)/undo': { POST: undoImport },
  '/imports/:import_id(\\d+)/invite': { POST: inviteNewcomers },
  '/import_job': { POST: createImportJob, PATCH: updateImportJob, DELETE: discardImportJob },
  '/import_job/start': { POST: startImportJob },
  '/import_job/people': { GET: listImportPeople },
  '/realm/presence': { GET: getRealmPresence },
  '/realm/profile_fields': { GET: listProfileFields, POST: createProfileField, PATCH: reorderProfileFields },
  '/realm/profile_fields/:field_id(\\d+)': { PATCH: updateProfileField, DELETE: removeProfileField },
  '/realm/linkifiers': { GET: listLinkifiers, PATCH: reorderLinkifiers },
  '/realm/filters': { POST: createLinkifier },
  '/realm/filters/:filter_id(\\d+)': { PATCH: updateLinkifier, DELETE: removeLinkifier },
  '/realm/webhook_templates': { GET: listWebhookTemplates, POST: createWebhookTemplate },
  '/realm/webhook_templates/test': { POST: testWebhookTemplate },
  '/realm/webhook_templates/:template_id(\\d+)': { PATCH: updateWebhookTemplate, DELETE: removeWebhookTemplate },
  '/content_filters': { GET: listContentFilters, POST: createContentFilter },
  '/content_filters/:content_filter_id(\\d+)': { DELETE: removeContentFilter },
  '/realm/playgrounds': { POST: createPlayground },
  '/realm/playgrounds/:playground_id(\\d+)': { DELETE: removePlayground },
}
