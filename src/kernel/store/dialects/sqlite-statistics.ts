/**
 * Statistics for the planner, fixed for every table and index: a million rows, all of one organization, of which each
 * further column of an index leaves a thousandth. Measured statistics become outdated: those of a new server suggest
 * that a scan is best, even when the table has grown.
 */
export const FIXED_STATISTICS: readonly string[] = [
  // Creates the table of statistics, which cannot be created by name.
  'analyze schema_migration',
  'delete from sqlite_stat1',
  "insert into sqlite_stat1 (tbl, stat) select name, '1000000' from sqlite_schema where type = 'table' and sql not like 'create virtual%'",
  `insert into sqlite_stat1 (tbl, idx, stat)
    select tbl, idx, '1000000 ' || group_concat(left_over, ' ') from (
      select tbl, idx, case when is_unique and seqno = last then 1 else
        case narrowing when 0 then 1000000 when 1 then 1000 when 2 then 10 else 1 end end as left_over
      from (
        select t.name as tbl, i.name as idx, i."unique" as is_unique, c.seqno,
          max(c.seqno) over (partition by i.name) as last,
          sum(coalesce(c.name, '') <> 'realm_id') over (partition by i.name order by c.seqno) as narrowing
        from sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        where t.type = 'table' and t.sql not like 'create virtual%'
      ) order by idx, seqno
    ) group by tbl, idx`,
  // Loads the statistics.
  'analyze sqlite_schema',
];
