-- queue/drop_item_table: the table of one partition goes, with its sequence and all items.
drop table if exists ${items};
