import type { CreateTableBuilder } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The first schema. Append-only once released: later changes are later files. */
export const init: Migration = {
  name: '2026-11-21-init',
  async up(db, { id, search }) {
    const table = (name: string) => db.schema.createTable(name).addColumn('id', 'integer', id)
    // biome-ignore lint/suspicious/noExplicitAny: a builder's type grows with each column; the names are checked by use.
    const text = (t: CreateTableBuilder<any, any>, ...names: string[]) =>
      names.reduce((b, n) => b.addColumn(n, 'text', (c) => c.notNull()), t)
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const int = (t: CreateTableBuilder<any, any>, ...names: string[]) =>
      names.reduce((b, n) => b.addColumn(n, 'bigint', (c) => c.notNull()), t)
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const maybeInt = (t: CreateTableBuilder<any, any>, ...names: string[]) =>
      names.reduce((b, n) => b.addColumn(n, 'bigint'), t)
    const index = (name: string, on: string, columns: string[]) =>
      db.schema.createIndex(name).on(on).columns(columns).execute()
    const unique = (name: string, on: string, columns: string[]) =>
      db.schema.createIndex(name).unique().on(on).columns(columns)

    // Organization
    await int(text(table('organization'), 'name', 'description', 'uuid'), 'created_at').execute()
    await text(db.schema.createTable('organization_setting'), 'name', 'value')
      .addPrimaryKeyConstraint('organization_setting_pk', ['name'] as never)
      .execute()
    await int(table('blob'), 'size', 'created_at')
      .addColumn('content_type', 'text', (c) => c.notNull())
      .execute()
    await int(db.schema.createTable('blob_chunk'), 'blob_id', 'seq')
      .addColumn('data', 'blob', (c) => c.notNull())
      .addPrimaryKeyConstraint('blob_chunk_pk', ['blob_id', 'seq'] as never)
      .addForeignKeyConstraint('blob_chunk_blob', ['blob_id'] as never, 'blob', ['id'], (c) => c.onDelete('cascade'))
      .execute()

    // People
    await maybeInt(
      int(
        text(table('user'), 'email', 'email_key', 'full_name', 'name_key', 'timezone', 'avatar_source'),
        'role',
        'is_active',
        'is_system_bot',
        'date_joined',
        'avatar_version',
      ),
      'bot_type',
      'bot_owner_id',
      'avatar_blob_id',
    )
      .addColumn('password_hash', 'text')
      .execute()
    await unique('user_email', 'user', ['email_key']).execute()
    await index('user_name', 'user', ['name_key'])
    await text(db.schema.createTable('user_setting').addColumn('user_id', 'bigint', ofUser), 'name', 'value')
      .addPrimaryKeyConstraint('user_setting_pk', ['user_id', 'name'] as never)
      .execute()
    await int(text(table('api_key').addColumn('user_id', 'bigint', ofUser), 'digest'), 'created_at').execute()
    await unique('api_key_digest', 'api_key', ['digest']).execute()
    await index('api_key_user', 'api_key', ['user_id'])
    await text(db.schema.createTable('alert_word').addColumn('user_id', 'bigint', ofUser), 'word', 'word_key')
      .addPrimaryKeyConstraint('alert_word_pk', ['user_id', 'word_key'] as never)
      .execute()
    await int(db.schema.createTable('muted_user').addColumn('user_id', 'bigint', ofUser), 'muted_user_id', 'muted_at')
      .addPrimaryKeyConstraint('muted_user_pk', ['user_id', 'muted_user_id'] as never)
      .execute()
    await int(
      text(
        db.schema.createTable('user_status').addColumn('user_id', 'bigint', (c) => ofUser(c).primaryKey()),
        'status_text',
        'emoji_name',
        'emoji_code',
        'reaction_type',
      ),
      'away',
    ).execute()
    await int(
      text(
        maybeInt(
          db.schema.createTable('presence').addColumn('user_id', 'bigint', (c) => ofUser(c).primaryKey()),
          'active_at',
          'idle_at',
        ),
        'client',
      ),
      'update_id',
    ).execute()
    await index('presence_update', 'presence', ['update_id'])

    // Profile fields
    await int(
      text(table('profile_field'), 'name', 'hint', 'field_data'),
      'type',
      'position',
      'display_in_profile_summary',
      'required',
      'editable_by_user',
    ).execute()
    await int(text(db.schema.createTable('profile_value').addColumn('user_id', 'bigint', ofUser), 'value'), 'field_id')
      .addColumn('rendered_value', 'text')
      .addPrimaryKeyConstraint('profile_value_pk', ['user_id', 'field_id'] as never)
      .addForeignKeyConstraint('profile_value_field', ['field_id'] as never, 'profile_field', ['id'], (c) =>
        c.onDelete('cascade'),
      )
      .execute()

    // Groups
    await maybeInt(
      int(
        text(table('user_group'), 'name', 'name_key', 'description', 'settings'),
        'is_system_group',
        'is_deactivated',
      ),
      'creator_id',
      'date_created',
    ).execute()
    await unique('user_group_name', 'user_group', ['name_key']).where('is_deactivated', '=', 0).execute()
    await db.schema
      .createTable('user_group_member')
      .addColumn('group_id', 'bigint', (c) => c.notNull().references('user_group.id'))
      .addColumn('user_id', 'bigint', ofUser)
      .addPrimaryKeyConstraint('user_group_member_pk', ['group_id', 'user_id'])
      .execute()
    await index('user_group_member_user', 'user_group_member', ['user_id'])
    await db.schema
      .createTable('user_group_subgroup')
      .addColumn('group_id', 'bigint', (c) => c.notNull().references('user_group.id'))
      .addColumn('subgroup_id', 'bigint', (c) => c.notNull().references('user_group.id'))
      .addPrimaryKeyConstraint('user_group_subgroup_pk', ['group_id', 'subgroup_id'])
      .execute()
    await index('user_group_subgroup_sub', 'user_group_subgroup', ['subgroup_id'])

    // Conversations and streams
    await text(table('conversation'), 'kind').addColumn('participant_key', 'text').execute()
    await unique('conversation_participants', 'conversation', ['participant_key']).execute()
    await db.schema
      .createTable('direct_participant')
      .addColumn('user_id', 'bigint', ofUser)
      .addColumn('conversation_id', 'bigint', (c) => c.notNull().references('conversation.id'))
      .addPrimaryKeyConstraint('direct_participant_pk', ['user_id', 'conversation_id'])
      .execute()
    await index('direct_participant_conversation', 'direct_participant', ['conversation_id'])
    await maybeInt(
      int(
        text(
          db.schema
            .createTable('stream')
            .addColumn('id', 'integer', (c) => c.primaryKey().references('conversation.id')),
          'name',
          'name_key',
          'description',
          'rendered_description',
          'settings',
        ),
        'date_created',
        'invite_only',
        'is_web_public',
        'history_public_to_subscribers',
        'is_archived',
      ),
      'creator_id',
      'message_retention_days',
      'first_message_id',
    ).execute()
    await unique('stream_name', 'stream', ['name_key']).where('is_archived', '=', 0).execute()
    await maybeInt(
      int(
        text(db.schema.createTable('subscription').addColumn('user_id', 'bigint', ofUser), 'color'),
        'stream_id',
        'is_active',
        'is_muted',
        'pin_to_top',
      ),
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    )
      .addPrimaryKeyConstraint('subscription_pk', ['user_id', 'stream_id'] as never)
      .addForeignKeyConstraint('subscription_stream', ['stream_id'] as never, 'stream', ['id'])
      .execute()
    await index('subscription_stream_active', 'subscription', ['stream_id', 'is_active', 'user_id'])
    await maybeInt(
      int(
        table('subscription_period').addColumn('user_id', 'bigint', ofUser),
        'stream_id',
        'from_message_id',
        'from_event_id',
      ),
      'to_message_id',
      'to_event_id',
    ).execute()
    await index('subscription_period_user', 'subscription_period', ['user_id', 'stream_id', 'from_message_id'])
    await index('subscription_period_stream', 'subscription_period', ['stream_id', 'user_id'])
    await text(table('topic').addColumn('stream_id', 'bigint', ofStream), 'name', 'name_key').execute()
    await unique('topic_name', 'topic', ['stream_id', 'name_key']).execute()
    await index('topic_key', 'topic', ['name_key'])
    await db.schema
      .createTable('default_stream')
      .addColumn('stream_id', 'bigint', (c) => ofStream(c).primaryKey())
      .execute()
    await int(
      text(
        db.schema
          .createTable('user_topic')
          .addColumn('user_id', 'bigint', ofUser)
          .addColumn('stream_id', 'bigint', ofStream),
        'topic_name',
        'topic_key',
      ),
      'visibility_policy',
      'last_updated',
    )
      .addPrimaryKeyConstraint('user_topic_pk', ['user_id', 'stream_id', 'topic_key'] as never)
      .execute()
    await index('user_topic_topic', 'user_topic', ['stream_id', 'topic_key'])

    // Messages
    await maybeInt(
      int(
        text(
          table('message')
            .addColumn('sender_id', 'bigint', ofUser)
            .addColumn('conversation_id', 'bigint', (c) => c.notNull().references('conversation.id'))
            .addColumn('topic_id', 'bigint', (c) => c.references('topic.id')),
          'content',
          'rendered_content',
          'client',
        ),
        'sent_at',
        'read_by_sender',
        'stream_wildcard',
        'topic_wildcard',
        'has_link',
        'has_image',
        'has_attachment',
        'is_me_message',
      ),
      'edited_at',
      'moved_at',
      'origin_id',
    ).execute()
    await index('message_conversation', 'message', ['conversation_id', 'id'])
    await index('message_topic', 'message', ['topic_id', 'id'])
    await index('message_sender', 'message', ['sender_id', 'id'])
    await db.schema
      .createIndex('message_own_unread')
      .on('message')
      .columns(['sender_id', 'id'])
      .where('read_by_sender' as never, '=', 0)
      .execute()
    // Rare, so that whoever looks for them need not read all that have none.
    for (const mark of ['has_image', 'has_attachment', 'stream_wildcard']) {
      await db.schema
        .createIndex(`message_${mark}`)
        .on('message')
        .column('id')
        .where(mark as never, '=', 1)
        .execute()
    }
    await search.create(db)
    await int(db.schema.createTable('search_progress'), 'indexed_up_to').execute()
    await db.insertInto('search_progress').values({ indexed_up_to: 0 }).execute()
    await db.schema
      .createIndex('message_origin')
      .on('message')
      .columns(['origin_id', 'id'])
      .where('origin_id' as never, 'is not', null)
      .execute()
    await maybeInt(
      int(table('message_edit').addColumn('message_id', 'bigint', ofMessage), 'edited_at'),
      'user_id',
      'prev_stream_id',
      'stream_id',
    )
      .addColumn('prev_content', 'text')
      .addColumn('prev_rendered_content', 'text')
      .addColumn('prev_topic', 'text')
      .addColumn('topic', 'text')
      .execute()
    await index('message_edit_message', 'message_edit', ['message_id'])
    await int(
      db.schema
        .createTable('message_flag')
        .addColumn('user_id', 'bigint', ofUser)
        .addColumn('message_id', 'bigint', ofMessage),
      'flags',
    )
      .addPrimaryKeyConstraint('message_flag_pk', ['user_id', 'message_id'] as never)
      .execute()
    await index('message_flag_message', 'message_flag', ['message_id'])
    await int(
      db.schema
        .createTable('read_range')
        .addColumn('user_id', 'bigint', ofUser)
        .addColumn('conversation_id', 'bigint', (c) => c.notNull().references('conversation.id')),
      'lo',
      'hi',
    )
      .addPrimaryKeyConstraint('read_range_pk', ['user_id', 'conversation_id', 'lo'] as never)
      .execute()
    await index('read_range_conversation', 'read_range', ['conversation_id', 'hi'])
    await text(
      table('reaction').addColumn('message_id', 'bigint', ofMessage).addColumn('user_id', 'bigint', ofUser),
      'emoji_name',
      'emoji_code',
      'reaction_type',
    ).execute()
    await unique('reaction_once', 'reaction', ['message_id', 'user_id', 'reaction_type', 'emoji_code']).execute()
    await text(
      table('submessage').addColumn('message_id', 'bigint', ofMessage).addColumn('sender_id', 'bigint', ofUser),
      'msg_type',
      'content',
    ).execute()
    await index('submessage_message', 'submessage', ['message_id'])
    await int(
      text(db.schema.createTable('send_receipt').addColumn('sender_id', 'bigint', ofUser), 'queue_id', 'local_id'),
      'message_id',
      'created_at',
    )
      .addPrimaryKeyConstraint('send_receipt_pk', ['sender_id', 'queue_id', 'local_id'] as never)
      .execute()
    await index('send_receipt_age', 'send_receipt', ['created_at'])
    await int(
      text(
        table('scheduled_message')
          .addColumn('sender_id', 'bigint', ofUser)
          .addColumn('conversation_id', 'bigint', (c) => c.notNull().references('conversation.id')),
        'content',
        'rendered_content',
        'client',
      ),
      'deliver_at',
      'failed',
    )
      .addColumn('topic', 'text')
      .addColumn('failure_message', 'text')
      .execute()
    await index('scheduled_message_due', 'scheduled_message', ['failed', 'deliver_at'])

    // Custom emoji
    await int(
      text(table('custom_emoji'), 'name', 'content_type').addColumn('author_id', 'bigint', (c) =>
        c.references('user.id'),
      ),
      'is_deactivated',
      'blob_id',
      'is_animated',
    ).execute()
    await unique('custom_emoji_name', 'custom_emoji', ['name']).where('is_deactivated', '=', 0).execute()

    // The event log and its readers
    await int(text(table('event'), 'type', 'payload', 'audience'), 'created_at').execute()
    await int(
      text(
        db.schema
          .createTable('queue')
          .addColumn('id', 'text', (c) => c.primaryKey().notNull())
          .addColumn('user_id', 'bigint', ofUser),
        'client',
        'options',
      ),
      'start_event_id',
      'acked_event_id',
      'lifespan_seconds',
      'last_used_at',
    ).execute()
    await index('queue_user', 'queue', ['user_id'])
  },
}

type Column = Parameters<NonNullable<Parameters<CreateTableBuilder<'t', never>['addColumn']>[2]>>[0]
const ofUser = (c: Column): Column => c.notNull().references('user.id')
const ofStream = (c: Column): Column => c.notNull().references('stream.id')
const ofMessage = (c: Column): Column => c.notNull().references('message.id').onDelete('cascade')
