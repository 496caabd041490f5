import { deleteAttachment, listAttachments } from '../../core/files/attachments.ts'
import { getFileUrl, getThumbnailStatus } from '../../core/files/served.ts'
import {
  continueTusUpload,
  createTusUpload,
  describeTus,
  endTusUpload,
  getTusOffset,
} from '../../core/files/tus/uploads.ts'
import { uploadFile } from '../../core/files/upload.ts'
import type { Routes } from '../route-types.ts'

/** Files that users upload. */
export const fileRoutes: Routes = {
  '/user_uploads': { POST: uploadFile },
  '/user_uploads/:realm_id/**:filename': { GET: getFileUrl },
  '/thumbnail/status/:realm_id/**:filename': { GET: getThumbnailStatus },
  '/tus': { OPTIONS: describeTus, POST: createTusUpload },
  '/tus/:token': { HEAD: getTusOffset, PATCH: continueTusUpload, DELETE: endTusUpload, OPTIONS: describeTus },
  '/attachments': { GET: listAttachments },
  '/attachments/:attachment_id(\\d+)': { DELETE: deleteAttachment },
}
