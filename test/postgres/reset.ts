/** Functions in the database itself, which make its whole content a text, and a text its whole content. */
export const resetFunctions = `
create schema testkit;

create function testkit.tables() returns setof name language sql stable as $$
  select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname
$$;

create function testkit.image() returns text language plpgsql as $$
declare
  tab name;
  content json;
  result jsonb := '{}';
  parts text[] := '{}';
begin
  for tab in select testkit.tables() loop
    execute format('select json_agg(r) from public.%I r', tab) into content;
    if content is not null then parts := parts || (to_json(tab)::text || ':' || content::text); end if;
  end loop;
  select jsonb_object_agg(sequencename, last_value) into result from pg_sequences where schemaname = 'public';
  return '{"tables":{' || array_to_string(parts, ',') || '},"sequences":' || result::text || '}';
end
$$;

create function testkit.restore(image json) returns void language plpgsql as $$
declare
  tab name;
  content json;
  newest bigint;
begin
  perform set_config('session_replication_role', 'replica', true);
  for tab in select testkit.tables() loop
    execute format('delete from public.%I', tab);
  end loop;
  for tab, content in select key, value from json_each(image -> 'tables') loop
    execute format(
      'insert into public.%1$I overriding system value select * from json_populate_recordset(null::public.%1$I, $1)', tab
    ) using content;
  end loop;
  for tab, newest in select key, value::text::bigint from json_each(image -> 'sequences') where value::text <> 'null' loop
    perform setval(format('public.%I', tab), newest);
  end loop;
  for tab in select key from json_each(image -> 'sequences') where value::text = 'null' loop
    perform setval(format('public.%I', tab), 1, false);
  end loop;
end
$$;
`
