import { deleteAttachment, listAttachments } from '../../core/files/attachments.ts'
import { getFileUrl } from '../../core/files/served.ts'
import { uploadFile } from '../../core/files/upload.ts'
import type { Routes } from '../route-types.ts'

/** Files that users upload. */
export const fileRoutes: Routes = {
  '/user_uploads': { POST: uploadFile },
  '/user_uploads/:realm_id/**:filename': { GET: getFileUrl },
  '/attachments': { GET: listAttachments },
  '/attachments/:attachment_id(\\d+)': { DELETE: deleteAttachment },
}
