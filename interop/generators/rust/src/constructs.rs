//! The constructs, with arguments in JSON. A tool has one type as its input and its
//! output, and returns its argument.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::num::{NonZeroI64, NonZeroU8, Wrapping};
use std::sync::{Arc, Mutex};
use std::{ffi::OsString, net, ops, path::PathBuf, time};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use serde_json::{Map, Number, Value, json};
use uuid::Uuid;

use crate::kinds::*;
use crate::{Construct, of, returns};

const DAY: &str = "2026-11-27";
const TIME: &str = "10:30:00";
const UUID: &str = "0197f3a2-5b1c-7c3e-8d4f-1a2b3c4d5e6f";

pub fn all() -> Vec<Construct> {
    [scalars(), library(), containers(), structs(), enums(), roots(), outputs()].into_iter().flatten().collect()
}

fn value(v: impl Into<Value>) -> Value {
    json!({ "value": v.into() })
}

fn scalars() -> Vec<Construct> {
    vec![
        of::<Of<String>>("string", value("open")),
        of::<Of<Box<str>>>("boxed_str", value("open")),
        of::<Of<Cow<'static, str>>>("cow", value("open")),
        of::<Of<Arc<str>>>("arc_str", value("open")),
        of::<Of<char>>("char", value("a")),
        of::<Of<bool>>("bool", value(true)),
        of::<Of<i8>>("i8", value(-7)),
        of::<Of<i16>>("i16", value(-7)),
        of::<Of<i32>>("i32", value(-7)),
        of::<Of<i64>>("i64", value(i64::MAX)),
        of::<Of<i64>>("i64_of_2_53", value(9007199254740993i64)),
        of::<Of<i128>>("i128", value(-7)),
        of::<Of<isize>>("isize", value(-7)),
        of::<Of<u8>>("u8", value(255)),
        of::<Of<u16>>("u16", value(7)),
        of::<Of<u32>>("u32", value(7)),
        of::<Of<u64>>("u64", value(u64::MAX)),
        of::<Of<u128>>("u128", value(7)),
        of::<Of<usize>>("usize", value(7)),
        of::<Of<f32>>("f32", value(1.5)),
        of::<Of<f64>>("f64", value(1.5)),
        of::<Of<f64>>("f64_whole", value(2)),
        of::<Of<NonZeroU8>>("non_zero_u8", value(7)),
        of::<Of<NonZeroI64>>("non_zero_i64", value(-7)),
        of::<Of<Wrapping<u32>>>("wrapping", value(7)),
        of::<Of<()>>("unit", value(())),
        of::<Of<Value>>("any", json!({ "value": { "a": [1, "b"] } })),
        of::<Of<Value>>("any_null", value(())),
        of::<Of<Map<String, Value>>>("json_map", json!({ "value": { "a": 1 } })),
        of::<Of<Number>>("json_number", value(1.5)),
        of::<Of<Option<String>>>("option", value("a")),
        of::<Of<Option<String>>>("option_null", value(())),
        of::<Of<Option<String>>>("option_absent", json!({})),
        of::<Of<Option<Inner>>>("option_struct", json!({ "value": { "c": 1 } })),
        of::<Of<Option<Option<i64>>>>("option_twice", value(7)),
        of::<Of<Option<Color>>>("option_enum", value("red")),
        of::<Skipped<String>>("option_skipped", json!({})),
        of::<Skipped<Vec<i64>>>("option_skipped_list", value(vec![1])),
    ]
}

fn library() -> Vec<Construct> {
    vec![
        of::<Of<DateTime<Utc>>>("datetime_utc", value(format!("{DAY}T{TIME}Z"))),
        of::<Of<DateTime<FixedOffset>>>("datetime_offset", value(format!("{DAY}T{TIME}+01:00"))),
        of::<Of<DateTime<Utc>>>("datetime_fraction", value(format!("{DAY}T10:30:00.123456789Z"))),
        of::<Of<NaiveDateTime>>("datetime_naive", value(format!("{DAY}T{TIME}"))),
        of::<Of<NaiveDate>>("date", value(DAY)),
        of::<Of<NaiveTime>>("time", value(TIME)),
        of::<Of<Weekday>>("weekday", value("Fri")),
        of::<Of<TimeDelta>>("time_delta", json!({ "value": [90, 0] })),
        of::<Of<time::Duration>>("duration", json!({ "value": { "secs": 1, "nanos": 5 } })),
        of::<Of<time::SystemTime>>("system_time", json!({ "value": { "secs_since_epoch": 1, "nanos_since_epoch": 5 } })),
        of::<Of<Uuid>>("uuid", value(UUID)),
        of::<Of<net::IpAddr>>("ip_address", value("192.0.2.7")),
        of::<Of<net::Ipv4Addr>>("ipv4", value("192.0.2.7")),
        of::<Of<net::Ipv6Addr>>("ipv6", value("2001:db8::7")),
        of::<Of<net::SocketAddr>>("socket_address", value("192.0.2.7:80")),
        of::<Of<PathBuf>>("path", value("a/b.md")),
        of::<Of<OsString>>("os_string", json!({ "value": { "Unix": [104, 105] } })),
        of::<Of<ops::Range<i64>>>("range", json!({ "value": { "start": 1, "end": 9 } })),
        of::<Of<ops::RangeInclusive<u8>>>("range_inclusive", json!({ "value": { "start": 1, "end": 9 } })),
        of::<Of<ops::Bound<i64>>>("bound", json!({ "value": { "Included": 7 } })),
        of::<Of<ops::Bound<i64>>>("bound_none", value("Unbounded")),
        of::<Of<Result<i64, String>>>("result", json!({ "value": { "Ok": 7 } })),
        of::<Of<Mutex<i64>>>("mutex", value(7)),
    ]
}

fn containers() -> Vec<Construct> {
    let ones = || json!({ "value": { "1": "a" } });
    vec![
        of::<Of<Vec<String>>>("list", value(vec!["a", "b"])),
        of::<Of<Vec<String>>>("list_empty", value(Vec::<Value>::new())),
        of::<Of<Vec<u8>>>("bytes", value(vec![104, 105])),
        of::<Of<Vec<Vec<f64>>>>("list_of_lists", json!({ "value": [[1.5], [2.5]] })),
        of::<Of<Vec<Inner>>>("list_of_structs", json!({ "value": [{ "c": 1 }] })),
        of::<Of<Vec<Option<i64>>>>("list_of_options", json!({ "value": [1, null] })),
        of::<Of<Vec<Value>>>("list_of_any", json!({ "value": [1, "a", null] })),
        of::<Of<Box<[i64]>>>("boxed_list", value(vec![1])),
        of::<Of<[i64; 2]>>("array", value(vec![1, 2])),
        of::<Of<[i64; 0]>>("array_empty", value(Vec::<Value>::new())),
        of::<Of<VecDeque<i64>>>("deque", value(vec![1])),
        of::<Of<LinkedList<i64>>>("linked_list", value(vec![1])),
        of::<Of<HashSet<i64>>>("hash_set", value(vec![1])),
        of::<Of<BTreeSet<String>>>("tree_set", value(vec!["a", "b"])),
        of::<Of<(String, i64)>>("tuple", json!({ "value": ["a", 1] })),
        of::<Of<(String,)>>("tuple_of_one", value(vec!["a"])),
        of::<Of<(i64, (bool, Option<i64>))>>("tuple_nested", json!({ "value": [1, [true, null]] })),
        of::<Of<HashMap<String, i64>>>("map", json!({ "value": { "a": 1 } })),
        of::<Of<BTreeMap<String, Inner>>>("map_of_structs", json!({ "value": { "a": { "c": 1 } } })),
        of::<Of<BTreeMap<String, Value>>>("map_of_any", json!({ "value": { "a": [1] } })),
        of::<Of<BTreeMap<String, Option<i64>>>>("map_of_options", json!({ "value": { "a": null } })),
        of::<Of<BTreeMap<u32, String>>>("map_by_u32", ones()),
        of::<Of<BTreeMap<i64, String>>>("map_by_i64", json!({ "value": { "-1": "a" } })),
        of::<Of<BTreeMap<Color, i64>>>("map_by_enum", json!({ "value": { "red": 1 } })),
        of::<Of<BTreeMap<bool, i64>>>("map_by_bool", json!({ "value": { "true": 1 } })),
        of::<Of<BTreeMap<char, i64>>>("map_by_char", json!({ "value": { "a": 1 } })),
        of::<Of<BTreeMap<Uuid, i64>>>("map_by_uuid", json!({ "value": { UUID: 1 } })),
    ]
}

fn structs() -> Vec<Construct> {
    let validated = json!({
        "length": "abc", "pattern": "abc-12", "range": 50, "email": "ada@example.com", "url": "https://example.com/",
        "list": [1, 2], "path": "a/b",
    });
    vec![
        of::<Outer>("struct", json!({ "a": "x", "b": { "c": 1 } })),
        of::<Of<Outer>>("struct_nested", json!({ "value": { "a": "x", "b": { "c": 1 } } })),
        of::<Of<Box<Inner>>>("struct_boxed", json!({ "value": { "c": 1 } })),
        of::<Defaults>("struct_defaults", json!({})),
        of::<Of<Described>>("struct_described", json!({ "value": { "a": "x" } })),
        of::<Old>("struct_deprecated", json!({ "a": "x" })),
        of::<Renamed>("struct_renamed", json!({ "userId": 7, "display name": "Ada" })),
        of::<Directions>("struct_directions", json!({ "in": "x", "written": 1 })),
        of::<Closed>("struct_closed", json!({ "a": "x" })),
        of::<Flattened>("struct_flattened", json!({ "a": "x", "c": 1 })),
        of::<Open>("struct_open", json!({ "a": "x", "b": [1] })),
        of::<Counted>("struct_counted", json!({ "a": "x", "b": 1 })),
        of::<WithPet>("struct_flattened_enum", json!({ "a": "x", "kind": "dog", "name": "Rex" })),
        of::<Of<Tree>>("recursive", json!({ "value": { "name": "a", "children": [{ "name": "b", "children": [] }] } })),
        of::<Tree>("recursive_root", json!({ "name": "a", "children": [{ "name": "b" }] })),
        of::<Of<Chain>>("recursive_box", json!({ "value": { "name": "a", "next": { "name": "b", "next": null } } })),
        of::<Of<Newtype>>("newtype", value("a")),
        of::<Of<Transparent>>("transparent", json!({ "value": { "c": 1 } })),
        of::<Of<Pair>>("tuple_struct", json!({ "value": ["a", 1] })),
        of::<Of<Unit>>("unit_struct", value(())),
        of::<Of<Empty>>("empty_struct", json!({ "value": {} })),
        of::<Of<Converted>>("converted", value("a")),
        of::<Of<Of<Of<i64>>>>("generic", json!({ "value": { "value": { "value": 7 } } })),
        of::<Validated>("validated", validated),
        of::<Extended>("extended", value("host.example.com")),
        of::<As>("with_schema_of", json!({ "value": { "a": 1 } })),
    ]
}

fn enums() -> Vec<Construct> {
    vec![
        of::<Of<Color>>("enum", value("dark-blue")),
        of::<Of<Documented>>("enum_documented", value("High")),
        of::<Of<External>>("enum_external_unit", value("Nothing")),
        of::<Of<External>>("enum_external_one", json!({ "value": { "One": 1 } })),
        of::<Of<External>>("enum_external_two", json!({ "value": { "Two": ["a", 1] } })),
        of::<Of<External>>("enum_external_named", json!({ "value": { "Named": { "a": "x" } } })),
        of::<Of<Pet>>("enum_internal", json!({ "value": { "kind": "cat", "lives": 9 } })),
        of::<Of<Pet>>("enum_internal_unit", json!({ "value": { "kind": "fish" } })),
        of::<Of<Adjacent>>("enum_adjacent", json!({ "value": { "kind": "Point", "data": { "x": 1.5, "y": 2.5 } } })),
        of::<Of<Adjacent>>("enum_adjacent_unit", json!({ "value": { "kind": "Nothing" } })),
        of::<Of<Untagged>>("enum_untagged", value("a")),
        of::<Of<Untagged>>("enum_untagged_struct", json!({ "value": { "c": 1 } })),
        of::<Of<Vec<Pet>>>("list_of_enums", json!({ "value": [{ "kind": "dog", "name": "Rex" }] })),
    ]
}

fn roots() -> Vec<Construct> {
    vec![
        of::<Empty>("root_empty", json!({})),
        of::<Unit>("root_unit", json!({})),
        of::<Map<String, Value>>("root_json_map", json!({ "a": 1 })),
        of::<BTreeMap<String, i64>>("root_map", json!({ "a": 1 })),
        of::<Value>("root_any", json!({ "a": 1 })),
        of::<Pet>("root_enum_internal", json!({ "kind": "dog", "name": "Rex" })),
        of::<External>("root_enum_external", json!({ "One": 1 })),
        of::<Adjacent>("root_enum_adjacent", json!({ "kind": "Text", "data": "a" })),
        of::<Untagged>("root_enum_untagged", json!({ "c": 1 })),
        of::<Option<Inner>>("root_option", json!({ "c": 1 })),
        of::<Box<Outer>>("root_boxed", json!({ "a": "x", "b": { "c": 1 } })),
        of::<time::Duration>("root_duration", json!({ "secs": 1, "nanos": 5 })),
    ]
}

fn outputs() -> Vec<Construct> {
    vec![
        returns("output_list", || vec!["a", "b"]),
        returns("output_empty_list", Vec::<String>::new),
        returns("output_list_of_structs", || vec![Inner { c: 1 }]),
        returns("output_string", || "a"),
        returns("output_int", || 7),
        returns("output_big_int", || u64::MAX),
        returns("output_float", || 2.0),
        returns("output_bool", || true),
        returns("output_unit", || ()),
        returns("output_some", || Some(Inner { c: 1 })),
        returns("output_none", || None::<Inner>),
        returns("output_struct", || Outer { a: "x".into(), b: Inner { c: 1 } }),
        returns("output_tuple", || ("a", 1)),
        returns("output_map", || BTreeMap::from([("a", 1)])),
        returns("output_enum", || Color::DarkBlue),
        returns("output_enum_internal", || Pet::Dog { name: "Rex".into() }),
        returns("output_enum_external", || External::Two("a".into(), 1)),
        returns("output_result", || Err::<i64, _>("not found".to_string())),
        returns("output_any", || json!({ "a": [1] })),
        returns("output_any_list", || json!([1, "a"])),
        returns("output_bytes", || Of { value: b"hi".to_vec() }),
        returns("output_datetime", || Of { value: DateTime::<Utc>::UNIX_EPOCH }),
        returns("output_naive_datetime", || Of { value: DateTime::<Utc>::UNIX_EPOCH.naive_utc() }),
        returns("output_unicode", || Of { value: "h\u{e9} \u{1f642}" }),
        returns("output_f32", || Of { value: 1.1f32 }),
        returns("output_not_a_number", || Of { value: f64::NAN }),
        returns("output_recursive", || Tree { name: "a".into(), children: vec![] }),
    ]
}
